"""Which scores are noted for a platform: every change of a student's points, and nothing is computed without one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, event, select

from app.challenges.service import Catalogue
from app.lti.grades import Comparison
from app.models import Assignment, Course, Identity, LtiContext, LtiPlatform, LtiScore, User
from grader.challenge import DEFAULT_ROOT
from tests.app.school import School
from tests.app.test_assignments import PATH, assign, from_now
from tests.app.test_exceptions import give, sent

ISSUER = "https://lms.example"
ATTENTION = f"{PATH}/attention"


def identify(school: School, name: str) -> None:
    with school.database.write() as session:
        user = session.scalars(select(User).where(User.name == name)).one()
        session.add(Identity(issuer=ISSUER, subject=name, user_id=user.id))


@pytest.fixture
def comparison(school: School) -> Comparison:
    """The course demo is connected, and ada has come from there; she was 2 h late."""
    assign(school, due_at=from_now(days=-1), late_percent_per_day=10)
    with school.database.write() as session:
        addresses = {f"{what}_url": f"{ISSUER}/{what}" for what in ("authorization", "token", "keyset")}
        platform = LtiPlatform(name="LMS", issuer=ISSUER, client_id="1", **addresses)
        session.add(platform)
        session.flush()
        course = session.scalars(select(Course).where(Course.slug == "demo")).one()
        where = {"platform_id": platform.id, "deployment_id": "1", "context_id": "1"}
        session.add(LtiContext(course_id=course.id, line_items_url=f"{ISSUER}/columns", **where))
    identify(school, "ada")
    sent(school, hours=2)
    return Comparison(school.database, Catalogue(DEFAULT_ROOT), every=timedelta(minutes=1))


def look(comparison: Comparison) -> int:
    return comparison.note_changes(is_due=False)


def points(school: School) -> dict[str, float | None]:
    with school.database.read() as session:
        rows = session.execute(select(User.name, LtiScore.points).join(User, User.id == LtiScore.user_id))
        return dict(rows.all())


@contextmanager
def statements(school: School) -> Iterator[list[str]]:
    told: list[str] = []

    def keep(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        told.append(statement)

    event.listen(school.database.engine, "before_cursor_execute", keep)
    yield told
    event.remove(school.database.engine, "before_cursor_execute", keep)


def grace(school: School, method: str, path: str, **body: Any) -> None:
    school.client("grace").request(method, path, json=body or None).raise_for_status()


def held(school: School) -> None:
    with school.database.write() as session:
        session.scalars(select(Assignment)).one().grades_release = "held"  # type: ignore[assignment]


def everything_was_forgotten(school: School) -> None:
    """As a connection that was ended and made anew does."""
    with school.database.write() as session:
        session.execute(delete(LtiScore))


CHANGES: dict[str, tuple[Callable[[School], object], dict[str, float | None]]] = {
    "a better submission": (lambda school: sent(school, score=90, hours=3), {"ada": 81.0}),
    "an override": (lambda school: give(school, "overrides", student="ada", points=5), {"ada": 5.0}),
    "an exception": (lambda school: give(school, student="ada", due_at=from_now(days=1)), {"ada": 80.0}),
    "terms": (lambda school: grace(school, "PATCH", ATTENTION, points=50), {"ada": 36.0}),
    "grades that are held": (held, {"ada": None}),
    "nothing kept": (everything_was_forgotten, {"ada": 72.0}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_is_noted_once(school: School, comparison: Comparison, name: str) -> None:
    assert look(comparison) == 1
    assert points(school) == {"ada": 72.0}
    change, after = CHANGES[name]
    change(school)
    assert look(comparison) == 1
    assert points(school) == after
    assert look(comparison) == 0


def test_whoever_comes_from_the_platform_later_is_told_of(school: School, comparison: Comparison) -> None:
    sent(school, "bob", hours=-1)
    assert look(comparison) == 1
    identify(school, "bob")
    assert look(comparison) == 1
    assert points(school) == {"ada": 72.0, "bob": 80.0}


def test_where_nothing_has_changed_no_score_is_computed(school: School, comparison: Comparison) -> None:
    assign(school, "later")
    look(comparison)
    with statements(school) as told:
        look(comparison)
    assert len(told) < 20
    assert not [each for each in told if "FOR UPDATE" in each or "points_overrides.points" in each]
    sent(school, score=90, hours=3)
    with statements(school) as told:
        look(comparison)
    assert len([each for each in told if "points_overrides.points" in each]) == 1  # of two assignments
