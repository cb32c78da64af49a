"""Ends requests for exercises that nobody waits for any more."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.broker import WITHDRAWN, Broker, BrokerDown
from app.jobs.transitions import withdraw
from app.models import OPEN_FETCH_STATES, ExerciseFetch, FetchState, Job, now

# What is told to whoever asked. No other reason names a person.
CANCELLED: Final = "{name} cancelled this request."
TAKEN_BACK: Final = "An operator has taken this namespace back from {name}."


def end_open(session: Session, which: ColumnElement[bool], state: FetchState, reason: str) -> list[ExerciseFetch]:
    """Ends the requests that are open of these, and returns them. What a verifier still says is not recorded."""
    are_open = (which, ExerciseFetch.state.in_(OPEN_FETCH_STATES))
    # Before their rows are read, as whoever ends a job does: what is just being recorded is not open any more then.
    withdraw(session, Job.id.in_(select(ExerciseFetch.job_id).where(*are_open)))
    ended = list(session.scalars(select(ExerciseFetch).where(*are_open)))
    for fetch in ended:
        fetch.state, fetch.reason, fetch.ended_at, fetch.progress = state, reason, now(), None
    return ended


def stop_verifying(broker: Broker, jobs: Iterable[str]) -> None:
    """Tells verifiers to drop these jobs. Where Redis is down they find out when they have ended."""
    with suppress(BrokerDown):
        for job in jobs:
            broker.mark_terminal(job, WITHDRAWN)
