"""Which points platforms should have: compared with the gradebook again and again, and noted where they differ.

What is noted stays until it is sent, and only the newest: a row for each student and assignment, whose version grows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Select, func, or_, select, update
from sqlalchemy.orm import Session, joinedload

from app.assignments.schedule import holds_grades
from app.assignments.service import all_of
from app.challenges.service import Catalogue
from app.database import Database
from app.gradebook.book import Student, points_max, rows_of, students_of
from app.gradebook.summaries import Stamp, stamps_of
from app.models import Assignment, Course, Identity, LtiContext, LtiScore, now
from app.rows import changed_rows


@dataclass(frozen=True)
class ReleasedScore:
    """A student's points in an assignment as they may be told; None where there are none."""

    user_id: str
    points: float | None
    points_max: float


class Comparison:
    """Compares the points of connected courses with what their platforms should have. An assignment is computed anew
    only when something that its points come from has changed since it was last compared here. Not thread-safe.
    """

    def __init__(self, database: Database, catalogue: Catalogue, every: timedelta) -> None:
        """`every`: how long a course rests between two looks at its points."""
        self._database = database
        self._catalogue = catalogue
        self._every = every
        self._compared: dict[str, dict[str, Stamp]] = {}  # by context and assignment

    def note_changes(self, *, is_due: bool = True) -> int:
        """Compares all connected courses that were not looked at for a while; returns how many scores have changed.

        Of several front ends, one takes each course.
        """
        with self._database.read() as session:
            ids = session.scalars(self._to_look_at(is_due)).all()
        return sum(self._note_course(each, is_due=is_due) for each in ids)

    def _note_course(self, context_id: str, *, is_due: bool) -> int:
        context = self._taken(context_id, is_due=is_due)
        if context is None or context.course is None:
            return 0
        with self._database.read() as session:
            students = students_of(session, context.course)
            known = _known(session, context)
            stamps = _stamps(session, context, context.course, students, known)
        compared = self._compared.get(context_id, {})
        self._compared[context_id] = {key: stamp for key, stamp in compared.items() if stamps.get(key) == stamp}
        changed = [key for key in stamps if key not in self._compared[context_id]]
        return sum(self._note_assignment(context, key, stamps[key], students, known) for key in changed)

    def _taken(self, context_id: str, *, is_due: bool) -> LtiContext | None:
        with self._database.write() as session:
            mine = update(LtiContext).where(LtiContext.id.in_(self._to_look_at(is_due)), LtiContext.id == context_id)
            if not changed_rows(session, mine.values(looked_at=now())):
                return None
            return session.get_one(LtiContext, context_id, options=[joinedload(LtiContext.course)])

    def _to_look_at(self, is_due: bool) -> Select[str]:
        moment = now() - self._every
        query = select(LtiContext.id).where(LtiContext.course_id.is_not(None), LtiContext.line_items_url.is_not(None))
        return query.where(or_(LtiContext.looked_at.is_(None), LtiContext.looked_at < moment)) if is_due else query

    def _note_assignment(
        self, context: LtiContext, key: str, stamp: Stamp, students: Sequence[Student], known: frozenset[str]
    ) -> int:
        with self._database.read() as session:
            assignment = session.get(Assignment, key)
            scores = _released(session, self._catalogue, assignment, students) if assignment else []
        with self._database.write() as session:
            new, others = _note(session, context, key, scores, known)
        *inputs, rows = stamp
        self._compared[context.id][key] = (*inputs, rows + new)
        return new + others


def _known(session: Session, context: LtiContext) -> frozenset[str]:
    """Students are told of by the identity that the platform gave them, so only of those who have one."""
    return frozenset(session.scalars(select(Identity.user_id).where(Identity.issuer == context.platform.issuer)))


def _stamps(
    session: Session, context: LtiContext, course: Course, students: Sequence[Student], known: frozenset[str]
) -> dict[str, Stamp]:
    """What changes whenever an assignment has to be compared, its kept scores last: without them (the course was
    disconnected) all are new. Once a day everything is compared, whatever a stamp may overlook.
    """
    assignments = all_of(session, course.id)
    kept = select(LtiScore.assignment_id, func.count()).where(LtiScore.context_id == context.id)
    rows = dict(session.execute(kept.group_by(LtiScore.assignment_id)).all())
    stamps = stamps_of(session, assignments, students)
    common = (now().date(), hash(known))
    return {each.id: (*common, each.released_at, *stamps[each.id], rows.get(each.id, 0)) for each in assignments}


def _released(
    session: Session, catalogue: Catalogue, assignment: Assignment, students: Sequence[Student]
) -> list[ReleasedScore]:
    """The late-adjusted points of these students; none while the grades are held."""
    is_held = holds_grades(assignment)
    return [
        ReleasedScore(row.student.id, None if is_held else row.points, points_max(assignment))
        for row in rows_of(session, catalogue, [assignment], students)
    ]


def _note(
    session: Session, context: LtiContext, assignment_id: str, scores: Sequence[ReleasedScore], known: frozenset[str]
) -> tuple[int, int]:
    """Notes what is to be sent; returns how many scores are new, and how many are others than before."""
    query = select(LtiScore).where(LtiScore.context_id == context.id, LtiScore.assignment_id == assignment_id)
    kept = {row.user_id: row for row in session.scalars(query.with_for_update())}
    new = others = 0
    for score in scores:
        row = kept.get(score.user_id)
        if row is None and score.points is not None and score.user_id in known:
            new += 1
            session.add(
                LtiScore(
                    context_id=context.id,
                    assignment_id=assignment_id,
                    user_id=score.user_id,
                    points=score.points,
                    points_max=score.points_max,
                    next_try_at=now(),
                )
            )
        elif row is not None and (row.points, row.points_max) != (score.points, score.points_max):
            others += 1
            row.points, row.points_max, row.version = score.points, score.points_max, row.version + 1
            row.tries, row.next_try_at, row.error, row.changed_at = 0, now(), None, now()
    return new, others


def send_again(session: Session, context: LtiContext) -> int:
    """Puts all scores of the course up for sending at once, those too that were sent; returns how many."""
    again = update(LtiScore).where(LtiScore.context_id == context.id)
    return changed_rows(session, again.values(version=LtiScore.version + 1, tries=0, next_try_at=now(), error=None))
