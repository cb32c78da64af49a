"""How a commit becomes live: fetched, checked, verified confined, written down, switched to. Anything that fails on the
way leaves what was live.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.database import Database
from app.exercises import service
from app.exercises.public import pack
from app.exercises.schemas import RepositoryView
from app.exercises.service import Fetched
from app.models import User
from assay.exercises.snapshots import is_repository, snapshot
from assay.exercises.verifying import problems_of
from worker.repositories.addresses import RepositoryError, checked_url
from worker.repositories.store import challenges_in, fetch_into, slugs_in
from worker.repositories.tree import checked_namespace

Tell = Callable[[str], None]
HEAD = "HEAD"


@dataclass(frozen=True)
class Place:
    """Where exercises come from: `url` as it is shown, `source` as git fetches it."""

    url: str
    source: str
    ref: str

    @classmethod
    def of(cls, typed: str, ref: str, namespace: str, snapshots: Path | None) -> "Place":
        """A URL, a folder with a git repository, or any other folder, of which a snapshot is made. Raises
        RepositoryError.
        """
        folder = Path(typed).expanduser().absolute()
        if not folder.is_dir():
            return cls(checked_url(typed), checked_url(typed), ref)
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


def namespace_of(typed: str) -> str:
    """What a repository is called unless told otherwise: the last part of its address. Raises RepositoryError."""
    return checked_namespace(typed.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git").lower())


def bring_live(database: Database, user: User, namespace: str, place: Place, tell: Tell) -> RepositoryView:
    """Makes what `place` has the live exercises of the namespace. Raises RepositoryError with the reason, and what the
    service refuses.
    """
    with tempfile.TemporaryDirectory(prefix="assay-exercises-") as scratch:
        tell(f"Fetching {place.ref} of {place.url} …")
        commit = fetch_into(Path(scratch), place.source, place.ref)
        fetched = Fetched(namespace, place.url, place.ref, place.source, commit)
        if service.begin(database, user, fetched):
            _verify(database, user, fetched, Path(scratch) / "exercises", tell)
        else:
            tell(f"Commit {commit[:12]} was verified before.")
    return service.go_live(database, user, fetched)


class Progress:
    """Says which exercise is being verified, of those that are still to come: what is told may be anything."""

    def __init__(self, slugs: Sequence[str], tell: Tell) -> None:
        self._slugs, self._tell, self._begun = slugs, tell, 0

    def __call__(self, name: str) -> None:
        following = self._slugs[self._begun : self._begun + 1]
        if [slug.partition(".")[2] for slug in following] == [name]:
            self._begun += 1
            self._tell(f"Verifying {following[0]} ({self._begun} of {len(self._slugs)}); this takes minutes …")


def _verify(database: Database, user: User, fetched: Fetched, root: Path, tell: Tell) -> None:
    """Nothing of the commit is read here before it was verified elsewhere, where reading it can do no harm."""
    try:
        problems = problems_of(root, Progress(slugs_in(root, fetched.namespace), tell))
        if problems:
            raise RepositoryError("; ".join(f"{fetched.namespace}.{problem}" for problem in problems))
        versions = {challenge.slug: challenge.version for challenge in challenges_in(root, fetched.namespace)}
    except RepositoryError as error:
        service.refuse(database, user, fetched, str(error))
        raise
    service.accept(database, user, fetched, versions, pack(root))
