"""How an assignment goes: submissions over time, verdicts, attempts to pass, scores."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.analytics.results import brief_results
from app.analytics.schemas import Overview, ServiceHealth, Step
from app.analytics.scope import Scope, scope_of
from app.analytics.timeline import HOUR_S, Steps, second_of, shares, steps_for
from app.assignments.schemas import view_of
from app.broker import Broker, BrokerDown
from app.courses.access import is_student_of
from app.courses.service import counted
from app.database import Database
from app.models import State, Submission, User, now
from app.queue.lengths import queue_lengths
from app.rows import count
from grader.report import Verdict


def overview(database: Database, broker: Broker, user: User, course: str, assignment: str) -> Overview:
    """Returns the figures of an assignment's overview. Raises NotFound, Forbidden."""
    health = service_health(database, broker)
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        people = brief_results(session, scope)
        endings = _endings(session, scope)
        steps = _steps(endings, scope)
        return Overview(
            assignment=view_of(scope.assignment, now()),
            students=count(session, is_student_of(scope.course)),
            students_submitted=len(people),
            students_passed=sum(person.attempts_to_pass is not None for person in people),
            submissions=sum(ending.submissions for ending in endings),
            states=counted((ending.state, ending.submissions) for ending in endings),
            verdicts=counted((ending.verdict, ending.submissions) for ending in endings),
            step_s=steps.step_s if steps else None,
            timeline=_timeline(endings, steps) if steps else [],
            attempts_to_pass=dict(sorted(Counter(filter(None, (one.attempts_to_pass for one in people))).items())),
            service=health,
            scores=shares([person.score for person in people], 10),
        )


def service_health(database: Database, broker: Broker) -> ServiceHealth:
    """Returns how many submissions wait for a judge, and how many judges there are."""
    queues = queue_lengths(database)
    try:
        judges = broker.judges()
    except BrokerDown:
        judges = None
    return ServiceHealth(
        waiting=sum(queue.waiting for queue in queues),
        oldest_wait_s=max(queue.oldest_s for queue in queues),
        judges=judges,
    )


class _Ending(NamedTuple):
    """What became of some submissions of one hour, and when the first and the last of them came."""

    state: State
    verdict: Verdict | None
    hour: int
    submissions: int
    first: datetime
    last: datetime


def _endings(session: Session, scope: Scope) -> list[_Ending]:
    """All that the page tells of submissions, in one reading of them."""
    hour = (second_of(Submission.created_at) // HOUR_S).label("hour")
    moments = func.min(Submission.created_at), func.max(Submission.created_at)
    query = select(Submission.state, Submission.verdict, hour, func.count(), *moments).where(scope.sent)
    return [_Ending(*row) for row in session.execute(query.group_by(Submission.state, Submission.verdict, hour))]


def _steps(endings: Sequence[_Ending], scope: Scope) -> Steps | None:
    if not endings:
        return None
    first, last = min(ending.first for ending in endings), max(ending.last for ending in endings)
    return steps_for(first, last, scope.assignment.due_at, scope.course.time_zone)


def _timeline(endings: Sequence[_Ending], steps: Steps) -> list[Step]:
    all_: Counter[int] = Counter()
    passing: Counter[int] = Counter()
    for ending in endings:
        number = steps.number(ending.hour * HOUR_S)
        all_[number] += ending.submissions
        passing[number] += ending.submissions * (ending.verdict is Verdict.PASSED)
    return [
        Step(at=at, submissions=count, passed=good)
        for at, count, good in zip(steps.moments(), steps.spread(all_), steps.spread(passing), strict=True)
    ]
