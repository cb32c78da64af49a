"""Where tests keep their data: a fresh, migrated database for each, copied from one that was migrated once."""

import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path

from app.database import upgrade
from tests.postgresql_process import PostgresqlProcess


class Databases(ABC):
    """One kind of database."""

    @abstractmethod
    def empty(self) -> AbstractContextManager[str]:
        """The URL of a database without a table, gone when the block ends."""

    @abstractmethod
    def migrated(self) -> AbstractContextManager[str]:
        """The URL of a database with the newest schema and no rows, gone when the block ends."""


class SqliteFiles(Databases):
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()
        self._template = folder / "template.db"
        upgrade(f"sqlite:///{self._template}")

    @contextmanager
    def empty(self) -> Iterator[str]:
        folder = self._folder / str(next(self._numbers))
        folder.mkdir()
        yield f"sqlite:///{folder}/assay.db"
        shutil.rmtree(folder)

    @contextmanager
    def migrated(self) -> Iterator[str]:
        with self.empty() as url:
            shutil.copy(self._template, url.removeprefix("sqlite:///"))
            yield url


class PostgresqlDatabases(Databases):
    def __init__(self, process: PostgresqlProcess) -> None:
        self._process = process
        self._numbers = count()
        self._run("CREATE DATABASE migrated")
        upgrade(process.url("migrated"))

    @contextmanager
    def empty(self) -> Iterator[str]:
        yield from self._created("template1")

    @contextmanager
    def migrated(self) -> Iterator[str]:
        yield from self._created("migrated")

    def _created(self, template: str) -> Iterator[str]:
        name = f"test_{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield self._process.url(name)
        self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        with self._process.connect() as connection:
            connection.execute(statement)
