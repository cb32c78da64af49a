"""The live exercises of all repositories, as this process has read them."""

import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy import select

from app.challenges.entry import Entry, entry_of
from app.database import DATABASE_FAULTS, Database
from app.exercises.public_archive import unpack
from app.models import CommittedExercise, ExerciseCommit, ExerciseRepository
from grader.challenge import load_challenge

LOOK_EVERY_S: Final = 1.0
logger = structlog.get_logger(part="exercises")


class Shelf:
    """Looks once a second, when asked, whether other commits are live; then all of theirs are there at once.
    Thread-safe. While the database is away, what was read last stays.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._looked_at: float | None = None
        self._live: dict[str, Mapping[str, Entry]] = {}  # by commit: what is live now
        self.entries: Mapping[str, Entry] = {}

    @cached_property
    def _scratch(self) -> Path:
        """Where the public files lie, until this process ends or drops the shelf."""
        folder = tempfile.mkdtemp(prefix="assay-exercises-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)

    def current(self) -> Mapping[str, Entry]:
        """Returns the live exercises, by slug."""
        is_first = self._looked_at is None
        if (is_first or self._is_due()) and self._lock.acquire(blocking=is_first):  # later, one looks for all
            try:
                if self._is_due():
                    self._look()
            finally:
                self._lock.release()
        return self.entries

    def _is_due(self) -> bool:
        return self._looked_at is None or time.monotonic() - self._looked_at >= LOOK_EVERY_S

    def refresh(self) -> None:
        """Looks now: whoever has changed something sees it."""
        with self._lock:
            self._look()

    def _look(self) -> None:
        try:
            with self._database.read() as session:
                live = list(session.execute(select(ExerciseRepository.namespace, ExerciseRepository.live_id)))
        except DATABASE_FAULTS as error:
            logger.warning("exercises_not_read", reason=str(error).partition("\n")[0])
            return
        finally:
            self._looked_at = time.monotonic()
        wanted = {commit: namespace for namespace, commit in live if commit is not None}
        if wanted.keys() != self._live.keys():
            self._live = {
                commit: self._live.get(commit) or self._read(commit, namespace) for commit, namespace in wanted.items()
            }
            self.entries = {slug: entry for entries in self._live.values() for slug, entry in entries.items()}

    def _read(self, commit_id: str, namespace: str) -> Mapping[str, Entry]:
        folder = self._scratch / commit_id
        with self._database.read() as session:
            packed = session.scalars(select(ExerciseCommit.public).where(ExerciseCommit.id == commit_id)).one()
            query = select(CommittedExercise).where(CommittedExercise.commit_id == commit_id)
            versions = {row.slug: row.version for row in session.scalars(query)}
        unpack(packed or b"", folder)
        entries = {}
        for slug, version in versions.items():
            try:
                found = load_challenge(folder / slug.removeprefix(f"{namespace}."))
                entries[slug] = entry_of(replace(found, slug=slug, known_version=version))
            except Exception as error:  # noqa: BLE001 - whatever an author's files do, all others are served
                logger.error("exercise_not_read", slug=slug, reason=f"{type(error).__name__}: {error}")
        return entries
