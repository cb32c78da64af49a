"""Finds students who are stuck: many attempts without getting better, and on what."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.analytics.results import StudentResult, student_results
from app.analytics.schemas import Stuck, StuckOn, StuckStudent
from app.analytics.scope import Titles, scope_of, titles_of
from app.challenges.service import Catalogue
from app.database import Database
from app.models import Assignment, Course, DiagnosedMisconception, GradedPart, User
from grader.grouping import grouped

ATTEMPTS: Final = 4  # fewer are no more than a beginning
SINCE_BEST: Final = 2  # attempts in a row that were no better
SHOWN_MAX: Final = 200


def stuck(database: Database, catalogue: Catalogue, user: User, course: str, assignment: str) -> Stuck:
    """Returns who has not passed in ATTEMPTS or more, the last SINCE_BEST of them no better, the longest stuck first.

    Raises NotFound, Forbidden.
    """
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        people = stuck_in(session, scope.course, [scope.assignment])[:SHOWN_MAX]
        last = [person.last for person in people]
        failed = _failed_parts(session, last, titles_of(catalogue, scope.assignment.challenge))
        shown = misconceptions_shown(session, last)
    return Stuck(
        items=[
            StuckStudent.of(person, on=failed.get(person.last, []), misconceptions=shown.get(person.last, []))
            for person in people
        ],
        on=_counted(failed.values()),
        misconceptions=_counted(shown.values()),
    )


def stuck_in(session: Session, course: Course, assignments: Sequence[Assignment]) -> list[StudentResult]:
    """Returns who is stuck in each of these assignments of the course, the longest stuck first."""
    results = student_results(session, course, assignments, attempts_min=ATTEMPTS, passed=False)
    people = [person for person in results if person.attempts_since_best >= SINCE_BEST]
    return sorted(people, key=lambda person: (-person.attempts_since_best, -person.attempts, person.student))


def _failed_parts(session: Session, submissions: list[str], titles: Titles) -> dict[str, list[str]]:
    query = select(GradedPart.submission_id, GradedPart.kind, GradedPart.name).where(
        GradedPart.submission_id.in_(submissions), GradedPart.passed < GradedPart.total
    )
    rows = sorted(session.execute(query).all(), key=lambda row: titles.sort_key(row.kind, row.name))
    barring = (row for row in rows if titles.bars(row.kind, row.name))
    return grouped((row.submission_id, titles.of(row.kind, row.name)) for row in barring)


def misconceptions_shown(session: Session, submissions: list[str]) -> dict[str, list[str]]:
    """Returns the titles of the misconceptions that each of these submissions shows."""
    found = DiagnosedMisconception
    query = select(found.submission_id, found.title).where(found.submission_id.in_(submissions)).order_by(found.title)
    return grouped((submission, title) for submission, title in session.execute(query))


def _counted(titles: Iterable[list[str]]) -> list[StuckOn]:
    counts = Counter(title for found in titles for title in found)
    return [StuckOn(title=title, students=count) for title, count in counts.most_common()]
