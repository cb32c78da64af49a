"""The questions of an assignment's challenge: which are hard, and which tell who has understood from who has not."""

from collections import Counter
from statistics import StatisticsError, correlation, fmean

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
Totals = dict[str, tuple[float, int]]  # student -> sum of the shares, and how many


def questions(database: Database, catalogue: Catalogue, user: User, course: str, assignment: str) -> Questions:
    """The hardest first. Raises NotFound, Forbidden."""
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        marks = _marks(session, scope)
    asked = _asked(catalogue, scope.assignment.challenge, user)
    marked: Shares = {}
    pending: Counter[str] = Counter()
    for (student, question), share in marks.items():
        if share is None:
            pending[question] += 1
        else:
            marked.setdefault(question, {})[student] = share
    totals = _totals(marked)
    items = [
        _figures(name, asked.get(name), marked.get(name, {}), totals, pending[name])
        for name in {*asked, *marked, *pending}
    ]
    items.sort(key=lambda item: (item.difficulty is None, item.difficulty or 0.0, item.id))
    return Questions(items=items)


def _marks(session: Session, scope: Scope) -> dict[tuple[str, str], float | None]:
    """The share of the points of each student's last answer to each question; None while it waits for a person."""
    status, score, most = (Answer.mark[name] for name in ("status", "score", "max_score"))
    query = (
        select(Submission.user_id, Answer.question, status.as_string(), score.as_float(), most.as_float())
        .join(Submission, Submission.id == Answer.submission_id)
        .where(scope.sent)
        .order_by(Answer.given_at)
    )
    return {
        (student, question): None if state == MarkStatus.PENDING or not worth else earned / worth
        for student, question, state, earned, worth in session.execute(query)
    }


def _totals(marked: Shares) -> Totals:
    totals: Totals = {}
    for answers in marked.values():
        for student, share in answers.items():
            earned, count = totals.get(student, (0.0, 0))
            totals[student] = (earned + share, count + 1)
    return totals


def _asked(catalogue: Catalogue, challenge: str, user: User) -> dict[str, QuestionView]:
    """One variant of each: that of whoever looks."""
    try:
        variants = catalogue.get(challenge).questions.variants(user.id)
    except NotFound:
        return {}
    return {variant.view.id: variant.view for variant in variants}


def _figures(
    name: str, asked: QuestionView | None, mine: dict[str, float], totals: Totals, pending: int
) -> QuestionFigures:
    return QuestionFigures(
        id=name,
        kind=asked.kind if asked else None,
        prompt=asked.prompt if asked else None,
        students=len(mine) + pending,
        pending=pending,
        difficulty=fmean(mine.values()) if mine else None,
        discrimination=_discrimination(mine, totals),
        scores=shares(list(mine.values()), 5),
    )


def _discrimination(mine: dict[str, float], totals: Totals) -> float | None:
    """The correlation with the same students' mean in the other questions (the corrected item-total correlation)."""
    own, others = [], []
    for student, share in mine.items():
        earned, count = totals[student]
        if count > 1:
            own.append(share)
            others.append((earned - share) / (count - 1))
    try:
        return round(correlation(own, others), 4)
    except StatisticsError:  # too few, or all alike: nothing can be told
        return None
