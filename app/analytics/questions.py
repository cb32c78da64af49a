"""The questions of an assignment's challenge: which are hard, and which tell who has understood from who has not."""

from itertools import pairwise
from math import sqrt
from typing import Any, Final

from sqlalchemy import CTE, ColumnElement, Float, Row, case, cast, func, select
from sqlalchemy.orm import Session

from app.analytics.schemas import QuestionFigures, Questions
from app.analytics.scope import Scope, scope_of
from app.challenges.service import Catalogue
from app.database import Database
from app.models import Answer, Submission, User
from app.problems import NotFound
from grader.questions import MarkStatus, QuestionView

BINS: Final = 5
ALIKE: Final = 1e-6  # shares no further apart are the same, but for rounding


def questions(database: Database, catalogue: Catalogue, user: User, course: str, assignment: str) -> Questions:
    """Returns each question's difficulty and discrimination, the hardest first. Raises NotFound, Forbidden."""
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        sums = _sums(session, scope)
    asked = _asked(catalogue, scope.assignment.challenge, user)
    items = [_figures(name, asked.get(name), sums.get(name)) for name in asked.keys() | sums.keys()]
    items.sort(key=lambda item: (item.difficulty is None, item.difficulty or 0.0, item.id))
    return Questions(items=items)


def _sums(session: Session, scope: Scope) -> dict[str, Row[Any]]:
    """By question. The database adds up, so that a class gives one row a question, and not one an answer."""
    pairs = _pairs(scope).c
    x, y = case((pairs.others.is_not(None), pairs.share)), pairs.others
    query = select(
        pairs.question,
        func.count().label("students"),
        func.count(pairs.share).label("marked"),
        func.sum(pairs.share).label("earned"),
        *(_count_below(pairs.share, number).label(f"below_{number}") for number in range(BINS)),
        func.count(y).label("n"),
        func.sum(x).label("x"),
        func.sum(y).label("y"),
        func.sum(x * x).label("xx"),
        func.sum(y * y).label("yy"),
        func.sum(x * y).label("xy"),
        (func.max(x) - func.min(x)).label("x_spread"),
        (func.max(y) - func.min(y)).label("y_spread"),
    )
    return {row.question: row for row in session.execute(query.group_by(pairs.question))}


def _pairs(scope: Scope) -> CTE:
    """For each answer the share of the points, and the same student's mean share in the other questions."""
    marks = _marks(scope)
    totals = (
        select(marks.c.user_id, func.sum(marks.c.share).label("earned"), func.count(marks.c.share).label("count"))
        .group_by(marks.c.user_id)
        .cte("totals")
    )
    mean = (totals.c.earned - marks.c.share) / func.nullif(cast(totals.c.count - 1, Float), 0.0, type_=Float)
    return (
        select(marks.c.question, marks.c.share, mean.label("others"))
        .join(totals, totals.c.user_id == marks.c.user_id)
        .cte("pairs")
    )


def _marks(scope: Scope) -> CTE:
    """The share of the points of each answer; none while it waits for a person. A student has one to a question."""
    status, score, most = (Answer.mark[name] for name in ("status", "score", "max_score"))
    share = score.as_float() / func.nullif(most.as_float(), 0.0, type_=Float)
    return (
        select(
            Submission.user_id,
            Answer.question,
            case((status.as_string() != MarkStatus.PENDING.value, share)).label("share"),
        )
        .join(Submission, Submission.id == Answer.submission_id)
        .where(scope.sent)
        .cte("marks")
    )


def _count_below(share: ColumnElement[float], number: int) -> ColumnElement[int]:
    """How many lie below the end of one of BINS equal parts; the last one holds 1, too."""
    return func.count(case((share * BINS < number + 1, 1))) if number < BINS - 1 else func.count(share)


def _asked(catalogue: Catalogue, challenge: str, user: User) -> dict[str, QuestionView]:
    """One variant of each: that of whoever looks."""
    try:
        variants = catalogue.get(challenge).questions.variants(user.id)
    except NotFound:
        return {}
    return {variant.view.id: variant.view for variant in variants}


def _figures(name: str, asked: QuestionView | None, sums: Row[Any] | None) -> QuestionFigures:
    below = [0, *(getattr(sums, f"below_{number}") for number in range(BINS))] if sums else [0] * (BINS + 1)
    return QuestionFigures(
        id=name,
        kind=asked.kind if asked else None,
        prompt=asked.prompt if asked else None,
        students=sums.students if sums else 0,
        pending=sums.students - sums.marked if sums else 0,
        difficulty=sums.earned / sums.marked if sums and sums.marked else None,
        discrimination=_discrimination(sums) if sums else None,
        scores=[upto - before for before, upto in pairwise(below)],
    )


def _discrimination(sums: Row[Any]) -> float | None:
    """The correlation with the same students' mean in the other questions (the corrected item-total correlation)."""
    if sums.n < 2 or min(sums.x_spread, sums.y_spread) < ALIKE:
        return None  # too few, or all alike: nothing can be told
    covariance = sums.xy - sums.x * sums.y / sums.n
    variances = (sums.xx - sums.x**2 / sums.n) * (sums.yy - sums.y**2 / sums.n)
    return round(float(covariance / sqrt(variances)), 4)
