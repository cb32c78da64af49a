"""Reads queues, workers and faults; drains a worker. For operators alone."""

import time
from datetime import datetime
from typing import Final

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session, joinedload

from app import audit
from app.broker import Broker, BrokerDown
from app.database import Database
from app.models import Job, JobState, Role, StoredReport, Submission, User
from app.operations.schemas import FaultView, Operations, QueueState, WorkerState
from app.problems import Forbidden, NotFound, Unavailable
from app.queue.lengths import queue_lengths
from grader.messages import JobKind
from grader.report import Report

FAULTS_SHOWN: Final = 30


def operations(database: Database, broker: Broker, user: User) -> Operations:
    """Returns the state of the service. Raises Forbidden."""
    refuse_all_but_operators(user)
    queues = [
        QueueState(name=queue.name, waiting=queue.waiting, oldest_wait_s=round(queue.oldest_s, 1))
        for queue in queue_lengths(database)
    ]
    try:
        heartbeats, drained, messages = broker.heartbeats(), broker.drained(), broker.record_messages()
    except BrokerDown:
        heartbeats, drained, messages = {}, set(), None
    with database.read() as session:
        known = _seen(session, {_worker_of(judge) for judge in heartbeats} | drained)
        faults = _faults(session)
    return Operations(
        queues=queues,
        is_broker_reachable=messages is not None,
        record_messages=messages,
        workers=_workers(heartbeats, drained, known),
        faults=faults,
    )


def drain(database: Database, broker: Broker, user: User, worker: str, *, is_drained: bool) -> None:
    """Drains a worker, or lets it take jobs again; it looks every second. Raises Forbidden, NotFound when there is no
    such worker, Unavailable.
    """
    refuse_all_but_operators(user)
    try:
        if worker not in {_worker_of(judge) for judge in broker.heartbeats()} | broker.drained():
            raise NotFound(f"No worker called {worker[:100]!r} has reported yet.")
        broker.drain(worker, is_drained=is_drained)
    except BrokerDown as error:
        raise Unavailable(
            "Redis is unavailable, and this setting is stored there. Try again when it is back."
        ) from error
    with database.write() as session:
        audit.note(session, user, "worker.drain" if is_drained else "worker.resume", worker)


def refuse_all_but_operators(user: User) -> None:
    """Raises Forbidden for anyone who is not an operator."""
    if user.role is not Role.OPERATOR:
        raise Forbidden("Only the operators of the service can do this.")


def _worker_of(judge: str) -> str:
    """A judge is called like its worker, with the number of its process behind."""
    return judge.rpartition(":")[0] or judge


def _workers(
    heartbeats: dict[str, float], drained: set[str], known: dict[str, tuple[datetime | None, str]]
) -> list[WorkerState]:
    moment = time.time()
    workers = []
    for name in sorted({_worker_of(judge) for judge in heartbeats} | drained):
        last = [at for judge, at in heartbeats.items() if _worker_of(judge) == name]
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
        select(func.max(Job.id)).where(
            Job.kind == JobKind.SUBMISSION, Job.worker.in_(names), Job.state == JobState.DONE
        )
    ).group_by(Job.worker)
    query = (
        select(Job.worker, Submission.graded_at, StoredReport.body)
        .join(Job, Job.id == Submission.id)
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
        select(Job, Submission)
        .join(Submission, Submission.id == Job.submission_id)
        .options(joinedload(Submission.user))
        .where(or_(Job.fault.is_not(None), Job.tries > 0))
        .order_by(Job.id.desc())
        .limit(FAULTS_SHOWN)
    )
    return [
        FaultView.of(
            row,
            submission=row.id,
            kind=job.kind,
            student=row.user.name,
            job_state=job.state,
            requeues=job.tries,
            fault=job.fault,
        )
        for job, row in session.execute(query)
    ]
