"""What is not understood: misconceptions by frequency and over time, and the passages behind one."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from sqlalchemy import Executable, Select, case, func, null, select, union_all
from sqlalchemy.orm import Session

from app.analytics.schemas import MisconceptionFigures, Misconceptions, Passage, PassagePage
from app.analytics.scope import Scope, scope_of
from app.analytics.timeline import Steps, second_of, steps_for
from app.database import Database
from app.models import DiagnosedMisconception, State, Submission, SubmissionFile, User
from app.problems import NotFound
from app.request_values import check_cursor
from app.submissions.files import LINE_END

CONTEXT: Final = 3  # lines shown before and after the one that is meant
COLUMNS_MAX: Final = 400


def misconceptions(database: Database, user: User, course: str, assignment: str) -> Misconceptions:
    """Returns the misconceptions in an assignment, the most common first. Raises NotFound, Forbidden."""
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        submitted = _submitted(session, scope)
        steps = submitted.steps(scope.assignment.due_at, scope.course.time_zone)
        seen = _seen(session, scope, steps) if steps else {}
    items = [
        MisconceptionFigures(
            id=name,
            title=found.title,
            students=found.students,
            students_still=submitted.still.get(name, 0),
            submissions=sum(found.by_step.values()),
            over_time=steps.spread(found.by_step) if steps else [],
        )
        for name, found in seen.items()
    ]
    items.sort(key=lambda item: (-item.students, item.id))
    return Misconceptions(
        students_submitted=submitted.students,
        steps=steps.moments() if steps else [],
        step_s=steps.step_s if steps else None,
        items=items,
    )


def passages(
    database: Database, user: User, course: str, assignment: str, name: str, cursor: str | None, limit: int
) -> PassagePage:
    """Returns, for each student who showed the misconception, their last submission with it and the lines that show it,
    newest first.

    Raises NotFound, Forbidden, Unprocessable.
    """
    check_cursor(cursor)
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        shown = last_with(scope, name)
        if cursor is not None:
            shown = shown.having(func.max(Submission.id) < cursor)
        ids = list(session.scalars(shown.order_by(func.max(Submission.id).desc()).limit(limit + 1)))
        last = set(session.scalars(_last_of_all(scope)))
        query = (
            select(Submission, User.name, DiagnosedMisconception, SubmissionFile.content)
            .join(User, User.id == Submission.user_id)
            .join(DiagnosedMisconception, DiagnosedMisconception.submission_id == Submission.id)
            .outerjoin(
                SubmissionFile,
                (SubmissionFile.submission_id == Submission.id)
                & (SubmissionFile.path == func.coalesce(DiagnosedMisconception.file, Submission.main)),
            )
            .where(Submission.id.in_(ids[:limit]), DiagnosedMisconception.misconception == name)
            .order_by(Submission.id.desc())
        )
        rows = session.execute(query).all()
        still = session.scalar(select(func.count()).select_from(holders(scope, name).subquery())) or 0
    if not rows and cursor is None:
        raise _shown_by_nobody(assignment, name)
    items = [_passage(*row, is_still_there=row[0].id in last) for row in rows]
    return PassagePage(
        id=name,
        title=rows[0][2].title if rows else name,
        students_still=still,
        items=items,
        next_cursor=items[-1].submission if len(ids) > limit else None,
    )


def holders(scope: Scope, name: str) -> Select[str]:
    """Selects the ids of the students whose last graded submission shows the misconception."""
    return (
        select(Submission.user_id)
        .join(DiagnosedMisconception, DiagnosedMisconception.submission_id == Submission.id)
        .where(Submission.id.in_(_last_of_all(scope)), DiagnosedMisconception.misconception == name)
    )


def title_of(session: Session, scope: Scope, name: str) -> str:
    """Returns what reports call the misconception. Raises NotFound where no submission shows it."""
    title = session.scalar(
        _diagnosed(scope)
        .with_only_columns(func.max(DiagnosedMisconception.title))
        .where(DiagnosedMisconception.misconception == name)
    )
    if title is None:
        raise _shown_by_nobody(scope.assignment.slug, name)
    return title


def _shown_by_nobody(assignment: str, name: str) -> NotFound:
    return NotFound(f"No submission to {assignment[:64]!r} shows {name[:100]!r}.")


def _passage(
    submission: Submission, student: str, found: DiagnosedMisconception, content: bytes | None, *, is_still_there: bool
) -> Passage:
    lines = LINE_END.split((content or b"").decode("utf-8-sig", "replace"), (found.line or 0) + CONTEXT)
    line = found.line if found.line and found.line <= len(lines) else None
    first = max(line - CONTEXT, 1) if line else None
    return Passage.of(
        submission,
        student=student,
        submission=submission.id,
        is_still_there=is_still_there,
        line=line,
        file=found.file,
        first_line=first,
        lines=[text[:COLUMNS_MAX] for text in lines[first - 1 : (line or 0) + CONTEXT]] if first else [],
    )


def _diagnosed(scope: Scope) -> Select[str]:
    return (
        select(DiagnosedMisconception.misconception)
        .join(Submission, Submission.id == DiagnosedMisconception.submission_id)
        .where(scope.graded)
    )


def _last_of_all(scope: Scope) -> Select[str]:
    """Each student's last graded submission."""
    return select(func.max(Submission.id)).where(scope.graded).group_by(Submission.user_id)


def last_with(scope: Scope, name: str) -> Select[str]:
    """Selects each student's last graded submission that shows the misconception."""
    return (
        _diagnosed(scope)
        .with_only_columns(func.max(Submission.id))
        .where(DiagnosedMisconception.misconception == name)
        .group_by(Submission.user_id)
    )


@dataclass(frozen=True)
class _Submitted:
    """How many students have a graded submission, when anything came, and what the last of each student shows."""

    students: int
    first_at: datetime | None
    last_at: datetime | None
    still: dict[str, int]  # students by misconception

    def steps(self, due_at: datetime | None, zone: str) -> Steps | None:
        """Returns the time axis of the submissions; None when there are none."""
        return steps_for(self.first_at, self.last_at, due_at, zone) if self.first_at and self.last_at else None


def _submitted(session: Session, scope: Scope) -> _Submitted:
    moments = func.min(Submission.created_at).label("first_at"), func.max(Submission.created_at).label("last_at")
    last = func.max(case((Submission.state == State.GRADED, Submission.id))).label("last")
    people = select(*moments, last).where(scope.sent).group_by(Submission.user_id).cte("people").c
    everybody = select(null(), func.count(people.last), func.min(people.first_at), func.max(people.last_at))
    name = DiagnosedMisconception.misconception
    still = select(name, func.count(), null(), null()).where(DiagnosedMisconception.submission_id == people.last)
    query: Executable = union_all(everybody, still.group_by(name))
    found = {row[0]: row for row in session.execute(query)}
    _, students, first_at, last_at = found.pop(None)
    return _Submitted(students, first_at, last_at, {name: row[1] for name, row in found.items() if name})


@dataclass
class _Seen:
    """A misconception: how many students showed it, and in how many submissions of each step."""

    title: str = ""
    students: int = 0
    by_step: dict[int, int] = field(default_factory=dict)


def _seen(session: Session, scope: Scope, steps: Steps) -> dict[str, _Seen]:
    """By misconception. Both counts in one statement, so that the database joins once."""
    found, number = DiagnosedMisconception, steps.number(second_of(Submission.created_at)).label("number")
    columns = (found.misconception, found.title, Submission.user_id, number)
    each = _diagnosed(scope).with_only_columns(*columns).cte("diagnosed").c
    # By student first: to count different ones takes the database a sort.
    by_student = select(each.misconception, func.max(each.title).label("title")).group_by(
        each.misconception, each.user_id
    )
    shown = by_student.subquery().c
    students = select(shown.misconception, func.max(shown.title), null(), func.count()).group_by(shown.misconception)
    over_time = select(each.misconception, null(), each.number, func.count()).group_by(each.misconception, each.number)
    seen: dict[str, _Seen] = {}
    for name, title, step, count in session.execute(union_all(students, over_time)).all():
        figures = seen.setdefault(name, _Seen())
        if step is None:
            figures.title, figures.students = title, count
        else:
            figures.by_step[step] = count
    return seen
