"""The first people of a data directory, and their tokens: made on the first run, kept where only the owner can read."""

import json
from dataclasses import asdict, dataclass, field

from app.accounts import links, service
from app.database import DATABASE_FAULTS, Database, upgrade
from app.problems import Problem
from assay.datadir import DataDir, write_private
from assay.errors import CannotStart


@dataclass(frozen=True)
class Tokens:
    """`tokens.json`. Empty where the data directory has no such person any more."""

    instructor: str
    student: str


@dataclass(frozen=True)
class BrowserLink:
    """The code stands behind the #, so that no server's log and no Referer has it. `operator` is whom it signs in."""

    url: str = field(repr=False)
    operator: str | None


def prepare_database(data: DataDir, elsewhere: str | None) -> Tokens:
    """The newest schema, and the tokens of the first run. A database `elsewhere` is remembered once it has answered.

    Raises CannotStart.
    """
    try:
        upgrade(elsewhere or data.database_url)
    except DATABASE_FAULTS as error:
        raise CannotStart(f"The database cannot be reached: {getattr(error, 'orig', None) or error}") from error
    if elsewhere:
        data.remember(elsewhere)
    first = service.bootstrap(data.database_url)
    if first is not None:
        return _keep(data, Tokens(instructor=first.instructor_token, student=first.student_token))
    try:
        return Tokens(**json.loads(data.tokens_file.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return _keep(data, Tokens(instructor=_token(data, "instructor"), student=_token(data, "student")))


def _keep(data: DataDir, tokens: Tokens) -> Tokens:
    write_private(data.tokens_file, json.dumps(asdict(tokens), indent=1))
    return tokens


def _token(data: DataDir, name: str) -> str:
    database = Database(data.database_url)
    try:
        return service.issue_token(database, name, "assay up")
    except Problem:
        return ""
    finally:
        database.close()


def browser_link(data: DataDir, address: str) -> BrowserLink:
    """A link that signs the operator in, or that sets up an installation without one. It works once."""
    database = Database(data.database_url)
    try:
        name = links.first_operator(database)
        if name is None:
            return BrowserLink(f"{address}/first-run#{links.make_first(database)}", None)
        return BrowserLink(f"{address}/code#{links.make(database, name)}", name)
    finally:
        database.close()
