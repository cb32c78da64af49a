"""Measuring a passed submission again for a leaderboard, as a job: when nobody else waits, and one at a time."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import structlog
from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from app.jobs.dispatch import work_of
from app.jobs.kind import Event, Kind, Office
from app.jobs.transitions import is_due
from app.models import Job, JobState, LeaderboardEntry, Submission, now
from grader.measurement import Measurement
from grader.messages import JobKind, Measured, MeasureRequest

GIVEN_UP: Final = (
    "The grader kept failing on it. That is our fault: leave the leaderboard and join again to have it measured."
)
SEED_BITS: Final = 62
_OTHERS: Final = (JobKind.SUBMISSION, JobKind.REGRADE, JobKind.CHECK)  # which the same judges take

logger = structlog.get_logger(part="leaderboard")


class MeasureJobs(Kind):
    """Jobs that measure what is on a leaderboard. Leaving the board withdraws them."""

    name = JobKind.MEASURE

    def next(self, session: Session, room: int, moment: datetime) -> Sequence[str]:
        """Returns the oldest job, but none while another one is measured or anything else waits for a judge."""
        others = and_(Job.kind.in_(_OTHERS), or_(is_due(moment), Job.state == JobState.DISPATCHED))
        measured = and_(Job.kind == self.name, Job.state.in_((JobState.DISPATCHED, JobState.RUNNING)))
        if room < 1 or session.scalar(select(Job.id).where(or_(others, measured)).limit(1)) is not None:
            return []
        due = select(Job.id).where(Job.kind == self.name, is_due(moment))
        return session.scalars(due.order_by(Job.id).limit(1)).all()

    def request(self, session: Session, job: Job) -> MeasureRequest | None:
        """Returns the message to a judge, with a seed that is drawn here and told to nobody: what is known before could
        be worked out before.
        """
        entry = _entry(session, job)
        if entry is None:
            return None
        row = session.get_one(Submission, job.submission_id)
        seed = secrets.randbits(SEED_BITS)
        return MeasureRequest(job=job.id, seed=seed, **work_of(session, row, entry.challenge_version))

    def given_up(self, session: Session, job: Job) -> list[Event]:
        entry = _entry(session, job)
        if entry is not None:
            entry.body = Measurement(problem=GIVEN_UP).model_dump_json()
        return []

    def refusal(self, session: Session, job: Job, result: Any) -> str | None:
        """Refuses the result of a judge that has another version of the challenge."""
        entry = _entry(session, job)
        if entry is None or entry.challenge_version == result.challenge_version:
            return None
        return f"a judge has version {result.challenge_version}, not {entry.challenge_version}"

    def record(self, session: Session, office: Office, job: Job, result: Measured) -> list[Event]:  # noqa: ARG002
        entry = _entry(session, job)
        if entry is not None:
            entry.body, entry.measured_at, entry.worker = result.measurement.model_dump_json(), now(), result.worker
        return []

    def noted(self, session: Session, office: Office, job: Job, result: Measured) -> None:  # noqa: ARG002
        is_ranked = result.measurement.problem is None
        logger.info("measurement_recorded", submission_id=job.submission_id, is_ranked=is_ranked)


def _entry(session: Session, job: Job) -> LeaderboardEntry | None:
    return session.scalar(select(LeaderboardEntry).where(LeaderboardEntry.job_id == job.id))
