"""Reads queues, workers and faults; drains a worker. For operators alone."""

import time
from datetime import datetime
from typing import Final

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session, joinedload

from app import audit
from app.broker import Broker, BrokerDown
from app.database import Database
from app.line.lengths import queue_lengths
from app.models import Role, StoredReport, Submission, User
from app.operations.schemas import FaultView, Operations, QueueState, WorkerState
from app.problems import Forbidden, NotFound, Unavailable
from grader.report import Report

FAULTS_SHOWN: Final = 30


def operations(database: Database, broker: Broker, user: User) -> Operations:
    """Raises Forbidden."""
    refuse_all_but_operators(user)
    queues = [
        QueueState(name=queue.name, waiting=queue.waiting, oldest_wait_s=round(queue.oldest_s, 1))
        for queue in queue_lengths(database)
    ]
    try:
        signs, drained, messages = broker.signs_of_life(), broker.drained(), broker.record_messages()
    except BrokerDown:
        signs, drained, messages = {}, set(), None
    with database.read() as session:
        known = _seen(session, {_worker_of(judge) for judge in signs} | drained)
        faults = _faults(session)
    return Operations(
        queues=queues,
        is_broker_reachable=messages is not None,
        record_messages=messages,
        workers=_workers(signs, drained, known),
        faults=faults,
    )


def drain(database: Database, broker: Broker, user: User, worker: str, *, is_drained: bool) -> None:
    """It looks at the switch every second. Raises Forbidden, NotFound when there is no such worker, Unavailable."""
    refuse_all_but_operators(user)
    try:
        if worker not in {_worker_of(judge) for judge in broker.signs_of_life()} | broker.drained():
            raise NotFound(f"No worker called {worker[:100]!r} has given a sign of life.")
        broker.drain(worker, is_drained=is_drained)
    except BrokerDown as error:
        raise Unavailable("Redis is away, and the switch is kept there. Try again when it is back.") from error
    with database.write() as session:
        audit.note(session, user, "worker.drain" if is_drained else "worker.resume", worker)


def refuse_all_but_operators(user: User) -> None:
    """Raises Forbidden."""
    if user.role is not Role.OPERATOR:
        raise Forbidden("This is for the operators of the service.")


def _worker_of(judge: str) -> str:
    """A judge is called like its worker, with the number of its process behind."""
    return judge.rpartition(":")[0] or judge


def _workers(
    signs: dict[str, float], drained: set[str], known: dict[str, tuple[datetime | None, str]]
) -> list[WorkerState]:
    moment = time.time()
    workers = []
    for name in sorted({_worker_of(judge) for judge in signs} | drained):
        last = [at for judge, at in signs.items() if _worker_of(judge) == name]
        graded_at, sandbox = known.get(name, (None, None))
        workers.append(
            WorkerState(
                name=name,
                judges=len(last),
                last_sign_s=round(max(0.0, moment - max(last)), 1) if last else None,
                is_drained=name in drained,
                sandbox=sandbox,
                last_graded_at=graded_at,
            )
        )
    return workers


def _seen(session: Session, names: set[str]) -> dict[str, tuple[datetime | None, str]]:
    """When each worker graded last, and in which sandbox, as that report tells."""
    newest = (
        select(func.max(Submission.id)).where(Submission.worker.in_(names), Submission.graded_at.is_not(None))
    ).group_by(Submission.worker)
    query = (
        select(Submission.worker, Submission.graded_at, StoredReport.body)
        .join(StoredReport, StoredReport.submission_id == Submission.id)
        .where(Submission.id.in_(newest))
    )
    return {
        worker: (graded_at, Report.model_validate_json(body).environment.sandbox)
        for worker, graded_at, body in session.execute(query)
        if worker is not None
    }


def _faults(session: Session) -> list[FaultView]:
    query = (
        select(Submission)
        .options(joinedload(Submission.user))
        .where(or_(Submission.fault.is_not(None), Submission.requeues > 0))
        .order_by(Submission.id.desc())
        .limit(FAULTS_SHOWN)
    )
    return [
        FaultView(
            submission=row.id,
            challenge=row.challenge,
            student=row.user.name,
            state=row.state,
            requeues=row.requeues,
            fault=row.fault,
            created_at=row.created_at,
        )
        for row in session.scalars(query)
    ]
