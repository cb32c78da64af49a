"""What is not understood: misconceptions by frequency and over time, and the passages behind one."""

import re
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session

from app.analytics.schemas import MisconceptionFigures, Misconceptions, Passage, PassagePage
from app.analytics.scope import Scope, scope_of
from app.analytics.timeline import Steps, steps_of
from app.database import Database
from app.identifiers import is_id
from app.models import DiagnosedMisconception, Submission, SubmissionFile, User
from app.problems import NotFound, Unprocessable

CONTEXT: Final = 3  # lines shown before and after the one that is meant
COLUMNS_MAX: Final = 400
_LINE_END: Final = re.compile(r"\r\n|\r|\n")  # Python's own; str.splitlines knows more


def misconceptions(database: Database, user: User, course: str, assignment: str) -> Misconceptions:
    """What most students show comes first. Raises NotFound, Forbidden."""
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        steps = steps_of(session, scope)
        seen = _over_time(session, scope, steps) if steps else {}
        still = _still(session, scope)
        items = [
            MisconceptionFigures(
                id=name,
                title=title,
                students=students,
                students_still=still.get(name, 0),
                submissions=count,
                over_time=seen.get(name, []),
            )
            for name, title, students, count in _frequencies(session, scope)
        ]
        submitted = session.scalar(select(func.count(Submission.user_id.distinct())).where(scope.graded)) or 0
    items.sort(key=lambda item: (-item.students, item.id))
    return Misconceptions(
        students_submitted=submitted,
        steps=steps.moments() if steps else [],
        step_s=steps.step_s if steps else None,
        items=items,
    )


def passages(
    database: Database, user: User, course: str, assignment: str, name: str, cursor: str | None, limit: int
) -> PassagePage:
    """The last submission with it of each student who showed it, newest first, and the lines.

    Raises NotFound, Forbidden, Unprocessable.
    """
    if cursor is not None and not is_id(cursor):
        raise Unprocessable("The cursor is not one that this server gave. Start again without it.")
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        shown = _last_with(scope, name)
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
    if not rows and cursor is None:
        raise NotFound(f"No submission to {assignment[:64]!r} shows {name[:100]!r}.")
    items = [_passage(*row, is_still_there=row[0].id in last) for row in rows]
    return PassagePage(
        id=name,
        title=rows[0][2].title if rows else name,
        items=items,
        next_cursor=items[-1].submission if len(ids) > limit else None,
    )


def _passage(
    submission: Submission, student: str, found: DiagnosedMisconception, content: bytes | None, *, is_still_there: bool
) -> Passage:
    lines = _LINE_END.split((content or b"").decode("utf-8-sig", "replace"))
    line = found.line if found.line and found.line <= len(lines) else None
    first = max(line - CONTEXT, 1) if line else None
    return Passage(
        student=student,
        submission=submission.id,
        attempt=submission.attempt,
        created_at=submission.created_at,
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


def _frequencies(session: Session, scope: Scope) -> Sequence[Row[str, str, int, int]]:
    """Name, title, students, submissions. By student first: to count different ones takes the database a sort."""
    found = DiagnosedMisconception
    title, submissions = func.max(found.title).label("title"), func.count().label("submissions")
    of_each = (
        _diagnosed(scope)
        .with_only_columns(found.misconception, Submission.user_id, title, submissions)
        .group_by(found.misconception, Submission.user_id)
        .subquery()
    )
    columns = (of_each.c.misconception, func.max(of_each.c.title), func.count(), func.sum(of_each.c.submissions))
    return session.execute(select(*columns).group_by(of_each.c.misconception)).all()


def _last_of_all(scope: Scope) -> Select[str]:
    """Each student's last graded submission."""
    return select(func.max(Submission.id)).where(scope.graded).group_by(Submission.user_id)


def _last_with(scope: Scope, name: str) -> Select[str]:
    return (
        _diagnosed(scope)
        .with_only_columns(func.max(Submission.id))
        .where(DiagnosedMisconception.misconception == name)
        .group_by(Submission.user_id)
    )


def _still(session: Session, scope: Scope) -> dict[str, int]:
    name = DiagnosedMisconception.misconception
    query = select(name, func.count()).where(DiagnosedMisconception.submission_id.in_(_last_of_all(scope)))
    return dict(session.execute(query.group_by(name)).all())


def _over_time(session: Session, scope: Scope, steps: Steps) -> dict[str, list[int]]:
    number = steps.number(Submission.created_at).label("number")
    query = (
        _diagnosed(scope)
        .with_only_columns(DiagnosedMisconception.misconception, number, func.count())
        .group_by(DiagnosedMisconception.misconception, number)
    )
    counts: dict[str, dict[int, int]] = {}
    for name, step, count in session.execute(query):
        counts.setdefault(name, {})[step] = count
    return {name: steps.spread(found) for name, found in counts.items()}
