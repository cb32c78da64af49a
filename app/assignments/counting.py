"""Points in an assignment: which submission counts, what being late takes off, what an override puts in their place.

Every page, call and export that shows points has them from here, so that all show the same number.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.assignments.late_policy import code_points, days_late
from app.assignments.terms import PersonalTerms
from app.models import Assignment, PointsOverride, State, Submission
from grader.grouping import grouped
from grader.report import Verdict


class StudentAssignment(NamedTuple):
    """A student in an assignment, by their ids."""

    user_id: str
    assignment_id: str


class GradedScore(NamedTuple):
    """A graded submission with its score, before the assignment's terms apply."""

    id: str
    created_at: datetime
    verdict: Verdict | None
    score: float | None
    max_score: float | None


@dataclass(frozen=True)
class Counted:
    """The submission that counts for a student, with the points that it earns, before and after the late penalty."""

    id: str
    created_at: datetime
    days_late: int
    verdict: Verdict | None
    score: float
    max_score: float
    full_points: float
    points: float


@dataclass(frozen=True)
class Points:
    """What a student has in an assignment, part by part."""

    full_code: float  # before the late penalty
    code: float
    questions: float
    override: float | None
    has_result: bool  # whether anything is graded or given

    @property
    def computed(self) -> float:
        """The points without the override."""
        return round(self.code + self.questions, 2)

    @property
    def total(self) -> float:
        """The points that count."""
        return self.computed if self.override is None else self.override


def best_of(terms: PersonalTerms, rows: Iterable[GradedScore]) -> Counted | None:
    """Returns the submission that counts by these terms; of equals the first."""
    counted = (_counted(terms, row) for row in rows)
    return max(counted, key=lambda each: each.points, default=None)


def points_from(counted: Counted | None, questions: float, override: PointsOverride | None) -> Points:
    """Returns the points, part by part. `questions` are rounded here."""
    return Points(
        full_code=counted.full_points if counted else 0.0,
        code=counted.points if counted else 0.0,
        questions=round(questions, 2),
        override=override.points if override else None,
        has_result=counted is not None or override is not None,
    )


def graded_in(
    session: Session, assignments: Sequence[Assignment], students: Sequence[str] | None = None
) -> dict[StudentAssignment, list[GradedScore]]:
    """Returns what is graded of these students, or of everybody, the oldest first."""
    columns = (Submission.id, Submission.created_at, Submission.verdict, Submission.score, Submission.max_score)
    query = (
        select(Submission.user_id, Submission.assignment_id, *columns)
        .where(Submission.assignment_id.in_([each.id for each in assignments]), Submission.state == State.GRADED)
        .order_by(Submission.id)
    )
    if students is not None:
        query = query.where(Submission.user_id.in_(students))
    return grouped(
        (StudentAssignment(user_id, assignment_id), GradedScore(row, created_at, verdict, score, max_score))
        for user_id, assignment_id, row, created_at, verdict, score, max_score in session.execute(query)
        if assignment_id is not None
    )


def overrides_in(
    session: Session, assignments: Sequence[Assignment], students: Sequence[str] | None = None
) -> dict[StudentAssignment, PointsOverride]:
    """Returns the override that holds for each of these students, or for everybody who has one."""
    newest = (
        select(func.max(PointsOverride.id))
        .where(PointsOverride.assignment_id.in_([each.id for each in assignments]))
        .group_by(PointsOverride.assignment_id, PointsOverride.user_id)
    )
    if students is not None:
        newest = newest.where(PointsOverride.user_id.in_(students))
    rows = session.scalars(select(PointsOverride).where(PointsOverride.id.in_(newest)))
    return {StudentAssignment(row.user_id, row.assignment_id): row for row in rows if row.points is not None}


def _counted(terms: PersonalTerms, row: GradedScore) -> Counted:
    share = row.score / row.max_score if row.score and row.max_score else 0.0
    return Counted(
        id=row.id,
        created_at=row.created_at,
        days_late=days_late(terms, row.created_at),
        verdict=row.verdict,
        score=row.score or 0.0,
        max_score=row.max_score or 0.0,
        full_points=round(terms.assignment.points * share, 2),
        points=code_points(terms, share, row.created_at),
    )
