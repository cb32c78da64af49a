"""The commits that this machine has: each fetched once, by whichever judge needs it first, and never changed."""

import fcntl
import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from grader.challenge import MANIFEST_NAME, Challenge, load_challenge, load_challenges
from grader.manifest import ManifestError
from grader.messages import ExerciseSource
from grader.repository_addresses import WORDS, RepositoryError
from worker.repositories.git import fetch, new_repository
from worker.repositories.tree import SLUG_CHARACTERS, extract


class Store:
    """A folder that judges of one machine share. It may be deleted while none runs: what is missing is fetched."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: dict[tuple[str, ExerciseSource], Challenge] = {}

    def challenge(self, slug: str, source: ExerciseSource) -> Challenge:
        """The exercise as the commit has it, the same object each time. Raises RepositoryError."""
        found = self._loaded.get((slug, source))
        if found is None:
            namespace, _, name = slug.partition(".")
            found = named(load_challenge(self.checkout(source.url, source.commit) / name), namespace)
            if found.version != source.version:
                raise RepositoryError(
                    f"{slug} has version {found.version} in commit {source.commit} of {source.url}, "
                    f"and {source.version} is asked for"
                )
            self._loaded[slug, source] = found
        return found

    def checkout(self, url: str, commit: str) -> Path:
        """Returns the folder of that commit's exercises, fetched where it is not there yet. Raises RepositoryError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = self._folder / hashlib.sha256(f"{url}\0{commit}".encode()).hexdigest()[:32]
        with self._alone():
            if not target.is_dir():
                self._fetch(url, commit, target)
        return target

    def _fetch(self, url: str, commit: str, target: Path) -> None:
        with tempfile.TemporaryDirectory(dir=self._folder, prefix=".") as scratch:
            found = fetch_into(Path(scratch), url, commit)
            if found != commit:
                raise RepositoryError(f"{url} gives {found} for {commit}")
            (Path(scratch) / "exercises").rename(target)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Of several judges that need a commit, one fetches it."""
        with (self._folder / "lock").open("wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def fetch_into(scratch: Path, url: str, ref: str) -> str:
    """Writes the exercises of `ref` into `scratch/exercises`, and returns its commit. Raises RepositoryError."""
    repository, target = scratch / "repository.git", scratch / "exercises"
    new_repository(repository)
    commit = fetch(repository, url, ref)
    target.mkdir()
    extract(repository, commit, target)
    return commit


def named(challenge: Challenge, namespace: str) -> Challenge:
    """The challenge under the slug that students see: NAMESPACE.NAME. Raises RepositoryError."""
    return replace(challenge, slug=slug_of(challenge.slug, namespace))


def slug_of(folder: str, namespace: str) -> str:
    """Names the exercise in a folder of this name. Raises RepositoryError."""
    slug = f"{namespace}.{folder}"
    if not WORDS.fullmatch(folder) or len(slug) > SLUG_CHARACTERS:
        raise RepositoryError(
            f"The folder {folder[:100]!r} cannot name an exercise: use lower-case words with hyphens, "
            f"at most {SLUG_CHARACTERS - len(namespace) - 1} characters."
        )
    return slug


def slugs_in(root: Path, namespace: str) -> list[str]:
    """The exercises of a commit by name alone, in order: nothing in them is read. Raises RepositoryError."""
    return [slug_of(path.parent.name, namespace) for path in sorted(root.glob(f"*/{MANIFEST_NAME}"))]


def challenges_in(root: Path, namespace: str) -> list[Challenge]:
    """All exercises of a commit that was verified. Raises RepositoryError with the file and the place."""
    try:
        return [named(challenge, namespace) for challenge in load_challenges(root).values()]
    except ManifestError as error:
        raise RepositoryError(f"{error}.".replace(f"{root}/", "")) from error
