"""The questions of an assignment's challenge: which are hard, and which tell who has understood from who has not."""

from statistics import StatisticsError, correlation, fmean
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.analytics.schemas import QuestionFigures, Questions
from app.analytics.scope import Scope, scope_of
from app.analytics.timeline import shares
from app.challenges.service import Catalogue
from app.database import Database
from app.models import Answer, Submission, User
from app.problems import NotFound
from grader.questions import MarkStatus, QuestionView

Shares = dict[str, dict[str, float]]  # question -> student -> share of its points


def questions(database: Database, catalogue: Catalogue, user: User, course: str, assignment: str) -> Questions:
    """The hardest first. Raises NotFound, Forbidden."""
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        marks = _marks(session, scope)
    asked = _asked(catalogue, scope.assignment.challenge, user)
    marked: Shares = {}
    pending: dict[str, int] = {}
    for (student, question), mark in marks.items():
        if mark["status"] == MarkStatus.PENDING or not mark["max_score"]:
            pending[question] = pending.get(question, 0) + 1
        else:
            marked.setdefault(question, {})[student] = mark["score"] / mark["max_score"]
    items = [_figures(name, asked.get(name), marked, pending.get(name, 0)) for name in {*asked, *marked, *pending}]
    items.sort(key=lambda item: (item.difficulty is None, item.difficulty or 0.0, item.id))
    return Questions(items=items)


def _marks(session: Session, scope: Scope) -> dict[tuple[str, str], dict[str, Any]]:
    """The last answer of each student to each question."""
    query = (
        select(Submission.user_id, Answer.question, Answer.mark)
        .join(Submission, Submission.id == Answer.submission_id)
        .where(scope.sent)
        .order_by(Answer.given_at)
    )
    return {(student, question): mark for student, question, mark in session.execute(query)}


def _asked(catalogue: Catalogue, challenge: str, user: User) -> dict[str, QuestionView]:
    """One variant of each: that of whoever looks."""
    try:
        variants = catalogue.get(challenge).questions.variants(user.id)
    except NotFound:
        return {}
    return {variant.view.id: variant.view for variant in variants}


def _figures(name: str, asked: QuestionView | None, marked: Shares, pending: int) -> QuestionFigures:
    mine = marked.get(name, {})
    return QuestionFigures(
        id=name,
        kind=asked.kind if asked else None,
        prompt=asked.prompt if asked else None,
        students=len(mine) + pending,
        pending=pending,
        difficulty=fmean(mine.values()) if mine else None,
        discrimination=_discrimination(name, marked),
        scores=shares(list(mine.values()), 5),
    )


def _discrimination(name: str, marked: Shares) -> float | None:
    """The correlation with the same students' mean in the other questions (the corrected item-total correlation)."""
    mine = marked.get(name, {})
    rest = {student: _mean_of_others(name, student, marked) for student in mine}
    both = [(mine[student], other) for student, other in rest.items() if other is not None]
    try:
        return round(correlation([pair[0] for pair in both], [pair[1] for pair in both]), 4)
    except StatisticsError:  # too few, or all alike: nothing can be told
        return None


def _mean_of_others(name: str, student: str, marked: Shares) -> float | None:
    others = [found[student] for question, found in marked.items() if question != name and student in found]
    return fmean(others) if others else None
