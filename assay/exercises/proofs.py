"""What a commit's exercises are worth: fetched, checked, verified confined. Knows no database, so that a verifier can
do it.
"""

import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.exercises.public_archive import pack
from assay.exercises.digests import digests_of
from assay.exercises.reading import refuse_unreadable
from assay.exercises.snapshots import is_repository, snapshot
from assay.exercises.verifying import always_wanted, problems_of
from grader.messages import ProvenExercise
from grader.repository_addresses import RepositoryError, checked_url
from worker.repositories.store import challenges_in, fetch_into, slugs_in

Tell = Callable[[str], None]
HEAD = "HEAD"


@dataclass(frozen=True)
class Origin:
    """Where exercises come from: `url` as it is shown, `source` as git fetches it."""

    url: str
    source: str
    ref: str

    @classmethod
    def of(cls, typed: str, ref: str, namespace: str, snapshots: Path | None) -> "Origin":
        """A URL, a folder with a git repository, or any other folder, of which a snapshot is made. Raises
        RepositoryError.
        """
        folder = Path(typed).expanduser().absolute()
        if not folder.is_dir():
            return cls.at(_address(typed), ref)
        if is_repository(folder):
            return cls(str(folder), checked_url(f"file://{folder}"), ref)
        if snapshots is None:
            raise RepositoryError(
                f"{folder} is not a git repository, and only `assay up` serves plain folders: run `git init` there, "
                "commit, and push it to where judges can fetch it."
            )
        kept = snapshots / f"{namespace}.git"
        snapshot(folder, kept)
        return cls(str(folder), f"file://{kept}", HEAD)

    @classmethod
    def at(cls, url: str, ref: str) -> "Origin":
        """A URL, whatever folders are here. Raises RepositoryError."""
        return cls(checked_url(url), checked_url(url), ref)


def _address(typed: str) -> str:
    if ":" not in typed:
        raise RepositoryError(
            f"There is no folder {typed[:200]!r} on this machine. Give one, or an https or ssh address."
        )
    url = checked_url(typed)
    folder = url.removeprefix("file://")
    if folder != url and not Path(folder).is_dir():
        raise RepositoryError(f"There is no folder {folder} on this machine.")
    return url


@dataclass(frozen=True)
class Proof:
    """What was verified: each exercise, and what students may see of them."""

    exercises: tuple[ProvenExercise, ...]
    public: bytes


@contextmanager
def fetched_from(place: Origin, tell: Tell) -> Iterator[tuple[str, Path]]:
    """Fetches what `place` has, for as long as the block runs: its commit, and the folder with its exercises. Raises
    RepositoryError.
    """
    with tempfile.TemporaryDirectory(prefix="assay-exercises-") as scratch:
        tell(f"Fetching {place.ref} of {place.url} …")
        commit = fetch_into(Path(scratch), place.source, place.ref)
        yield commit, Path(scratch) / "exercises"


def prove(
    root: Path,
    namespace: str,
    proven: Collection[str],
    tell: Tell,
    is_wanted: Callable[[], bool] = always_wanted,
) -> Proof:
    """Verifies the exercises in `root`, but none whose digest was `proven` before. Reads none before it was verified
    elsewhere, where reading it can do no harm. Raises RepositoryError with what does not hold, or once it no longer
    `is_wanted`.
    """
    slugs = slugs_in(root, namespace)
    digests = digests_of(root, [_name(slug) for slug in slugs])
    pending = [slug for slug in slugs if digests[_name(slug)] not in proven]
    if same := len(digests) - len(pending):
        tell(f"Unchanged since they were verified: {same} of {len(digests)} exercises.")
    if pending:
        _verify(root, namespace, pending, tell, is_wanted)
    public = pack(root)
    refuse_unreadable(root)
    exercises = [
        ProvenExercise(slug=each.slug, version=each.version, digest=digests[_name(each.slug)])
        for each in challenges_in(root, namespace)
    ]
    return Proof(tuple(exercises), public)


def _verify(root: Path, namespace: str, slugs: Sequence[str], tell: Tell, is_wanted: Callable[[], bool]) -> None:
    names = [_name(slug) for slug in slugs]
    problems = problems_of(root, Progress(slugs, tell), names=names, is_wanted=is_wanted)
    if problems:
        raise RepositoryError("; ".join(f"{namespace}.{problem}" for problem in problems))


def _name(slug: str) -> str:
    """The name of the exercise's folder."""
    return slug.partition(".")[2]


class Progress:
    """Says which exercise is being verified, of those that are still to come: what is told may be anything."""

    def __init__(self, slugs: Sequence[str], tell: Tell) -> None:
        self._slugs, self._tell, self._begun = slugs, tell, 0

    def __call__(self, name: str) -> None:
        following = self._slugs[self._begun : self._begun + 1]
        if [_name(slug) for slug in following] == [name]:
            self._begun += 1
            self._tell(f"Verifying {following[0]} ({self._begun} of {len(self._slugs)}); this takes minutes …")
