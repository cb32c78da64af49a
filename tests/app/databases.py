"""Where tests keep their data: a fresh, migrated database for each, copied from one that was migrated once."""

import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

from app import database
from app.database import upgrade
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


class SqliteFiles(Databases):
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
        template = self._folder / f"{revision}.db"
        if not template.exists():
            upgrade(f"sqlite:///{template}", revision)
        with self.empty() as url:
            shutil.copy(template, url.removeprefix("sqlite:///"))
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
        if template not in self._templates:
            self._run(f"CREATE DATABASE {template}")
            upgrade(self._process.url(template), revision)
            self._templates.add(template)
        yield from self._created(template)

    def _created(self, template: str) -> Iterator[str]:
        name = f"test_{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield self._process.url(name)
        self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        with self._process.connect() as connection:
            connection.execute(statement)
