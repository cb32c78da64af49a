"""Where tests keep their data: a fresh, migrated database for each, copied from one that was migrated once."""

import shutil
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

from app import database
from app.database import migrations, upgrade
from tests.postgresql_process import PostgresqlProcess


def compile_statements_once() -> None:
    """SQLAlchemy keeps what it has compiled for each engine, and each school has engines of its own: half of the work
    of a server that answers ten requests. Here all engines of one kind of database share it.
    """
    shared: dict[str, Any] = {"compiled_cache": LRUCache(5000)}
    for name, replacement in (
        ("__eq__", lambda one, other: isinstance(other, DefaultDialect) and one.name == other.name),
        ("__hash__", lambda one: hash(one.name)),
    ):
        setattr(DefaultDialect, name, replacement)
    setattr(database, "create_engine", partial(create_engine, execution_options=shared))  # noqa: B010


compile_statements_once()


class Databases(ABC):
    """One kind of database."""

    @abstractmethod
    def empty(self) -> AbstractContextManager[str]:
        """The URL of a database without a table, gone when the block ends."""

    @abstractmethod
    def migrated(self, revision: str = "head") -> AbstractContextManager[str]:
        """The URL of a database with the schema of a revision and no rows, gone when the block ends."""


def newest_of(made: Collection[str], revision: str) -> str | None:
    """Of the revisions that there are, the one that needs the fewest steps to another; None where none comes before."""
    script = ScriptDirectory.from_config(migrations())
    way = (step.revision for step in script.iterate_revisions(revision, "base"))
    return next((earlier for earlier in way if earlier in made), None) if made else None


class SqliteFiles(Databases):
    # By revision, of the whole process: folders of tests have fixtures of their own, and one migration serves them all.
    _templates: ClassVar[dict[str, Path]] = {}

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()

    @contextmanager
    def empty(self) -> Iterator[str]:
        folder = self._folder / str(next(self._numbers))
        folder.mkdir()
        yield f"sqlite:///{folder}/assay.db"
        shutil.rmtree(folder)

    @contextmanager
    def migrated(self, revision: str = "head") -> Iterator[str]:
        if revision not in self._templates:
            template = self._folder / f"{revision}.db"
            if earlier := newest_of(self._templates, revision):
                shutil.copy(self._templates[earlier], template)
            upgrade(f"sqlite:///{template}", revision)
            self._templates[revision] = template
        with self.empty() as url:
            shutil.copy(self._templates[revision], url.removeprefix("sqlite:///"))
            yield url


class PostgresqlDatabases(Databases):
    def __init__(self, process: PostgresqlProcess) -> None:
        self._process = process
        self._numbers = count()
        self._templates: set[str] = set()

    @contextmanager
    def empty(self) -> Iterator[str]:
        yield from self._created("template1")

    @contextmanager
    def migrated(self, revision: str = "head") -> Iterator[str]:
        template = f"migrated_{revision}"
        if revision not in self._templates:
            earlier = newest_of(self._templates, revision)
            self._run(f"CREATE DATABASE {template} TEMPLATE {f'migrated_{earlier}' if earlier else 'template1'}")
            upgrade(self._process.url(template), revision)
            self._templates.add(revision)
        yield from self._created(template)

    def _created(self, template: str) -> Iterator[str]:
        name = f"test_{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield self._process.url(name)
        self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        with self._process.connect() as connection:
            connection.execute(statement)
