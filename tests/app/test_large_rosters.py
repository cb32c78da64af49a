"""The largest roster costs little: processor time is bounded, and statements do not grow with its lines."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import pytest
from sqlalchemy import event, func, select

from app.accounts import service as accounts
from app.courses import roster, roster_file, service
from app.database import Database
from app.models import Role, User
from app.problems import TooManyRequests
from tests.app.school import School

BUDGET_S: Final = 2.0  # a third of a second on a quiet machine
PEOPLE: Final = roster_file.PEOPLE_MAX


@contextmanager
def counted(database: Database) -> Iterator[list[str]]:
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    engines = (database.engine, database._writer)
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    yield statements
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)


def content(people: int, title: str = "Person") -> bytes:
    lines = "".join(f"p{number},{title} {number},p{number}@x.org\n" for number in range(people))
    return f"name,full_name,email\n{lines}".encode()


@pytest.fixture
def grace(school: School) -> User:
    with school.database.read() as session:
        return session.scalars(select(User).where(User.name == "grace")).one()


def spent(do: Callable[[], Any]) -> float:
    """By this thread, for its own: neither what others do counts, nor a look through all that a thousand tests left."""
    gc.collect()
    gc.freeze()
    before = time.thread_time()
    do()
    return time.thread_time() - before


def bring_in(database: Database, user: User, file: bytes, course: str = "demo", **more: bool) -> None:
    options = {"remove_missing": False, **more}
    plan = roster.preview(database, user, course, file, **options)
    roster.apply(database, user, course, file, digest=plan.digest, **options)


def test_previews_imports_and_removals_of_the_largest_roster_are_quick(school: School, grace: User):
    database = school.database
    accounts.create_user(database, "barbara", Role.INSTRUCTOR, "second")
    accounts.enroll(database, "grace", "second")
    steps = [
        ("new", "demo", content(PEOPLE), False),
        ("known elsewhere", "second", content(PEOPLE), False),
        ("changed", "demo", content(PEOPLE, "Human"), False),
        ("removed", "demo", b"name\ngrace\n", True),
    ]
    for what, course, file, remove_missing in steps:
        look = partial(roster.preview, database, grace, course, file, remove_missing=remove_missing)
        do = partial(roster.apply, database, grace, course, file, remove_missing=remove_missing, digest=look().digest)
        assert spent(look) < BUDGET_S, f"the preview: {what}"
        assert spent(do) < BUDGET_S, f"the import: {what}"


def test_the_people_of_the_largest_course_are_shown_page_by_page(school: School, grace: User):
    bring_in(school.database, grace, content(PEOPLE))
    look = partial(service.roster, school.database, grace, "demo", search="person", limit=100)
    assert min(spent(look) for _ in range(3)) < 0.2  # the first look also compiles its statements
    page = look()
    assert (len(page.items), page.total) == (100, PEOPLE)


@pytest.mark.on_both_databases
def test_a_longer_roster_takes_no_more_statements(school: School, grace: User):
    numbers = []
    for size in (10, 300):
        with counted(school.database) as statements:
            for title in ("Person", "Human"):
                bring_in(school.database, grace, content(size, title).replace(b"p", b"q%d" % size))
            bring_in(school.database, grace, b"name\ngrace\n", remove_missing=True)
        numbers.append(len(statements))
    assert numbers[0] == numbers[1]


def test_a_roster_of_more_people_is_refused(school: School):
    files = {"file": ("roster.csv", content(PEOPLE + 1))}
    refused = school.client("grace").post("/courses/demo/roster/preview", files=files)
    assert (refused.status_code, "in parts" in refused.json()["detail"]) == (422, True)


def test_a_course_makes_only_so_many_accounts_a_day(school: School, grace: User, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(roster, "NEW_ACCOUNTS_PER_DAY", 5)
    bring_in(school.database, grace, content(5))
    with pytest.raises(TooManyRequests, match="5 new accounts a day"):
        bring_in(school.database, grace, content(6))
    with school.database.read() as session:
        assert session.scalar(select(func.count()).where(User.name.startswith("p"))) == 5
        root = session.scalars(select(User).where(User.role == Role.OPERATOR)).one()
    bring_in(school.database, root, content(6))
