"""Ends requests for exercises that nobody waits for any more."""

from collections.abc import Iterable
from contextlib import suppress

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.broker import WITHDRAWN, Broker, BrokerDown
from app.jobs.transitions import withdraw
from app.models import OPEN_FETCH_STATES, ExerciseFetch, FetchState, Job, now


def end_open(session: Session, which: ColumnElement[bool], state: FetchState, reason: str) -> list[ExerciseFetch]:
    """Ends the requests that are open of these, and returns them. What a verifier still says is not recorded."""
    query = select(ExerciseFetch).where(which, ExerciseFetch.state.in_(OPEN_FETCH_STATES))
    ended = list(session.scalars(query))
    for fetch in ended:
        fetch.state, fetch.reason, fetch.ended_at, fetch.progress = state, reason, now(), None
        withdraw(session, Job.id == fetch.job_id)
    return ended


def stop_verifying(broker: Broker, jobs: Iterable[str]) -> None:
    """Tells verifiers to drop these jobs. Where Redis is down they find out when they have ended."""
    with suppress(BrokerDown):
        for job in jobs:
            broker.mark_terminal(job, WITHDRAWN)
