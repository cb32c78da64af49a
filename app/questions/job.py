"""Running the line of code that answers a question, as a job: the answer is marked with what a judge found."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.exercises.sources import source_of
from app.jobs.kind import Event, Kind, Office
from app.models import Answer, Job
from app.questions.asked import drawn_for, facts_of
from grader.messages import Checked, CheckRequest, JobKind

GIVEN_UP = (
    "The grader kept failing on your line. That is our fault, not yours: this answer doesn't count as a try. Send it "
    "again later."
)


class CheckJobs(Kind):
    """Jobs that run a line of code that answers a question. A new answer withdraws the job of the one before."""

    name = JobKind.CHECK

    def request(self, session: Session, job: Job) -> CheckRequest | None:
        answer = _answer(session, job)
        if answer is None:
            return None
        submission = answer.submission
        return CheckRequest(
            job=job.id,
            challenge=submission.challenge,
            source=source_of(session, submission.challenge),
            question=answer.question,
            student=drawn_for(submission.user.question_seed, submission.assignment),
            facts=facts_of(session, submission.user_id, submission.challenge, submission.assignment),
            given=answer.given,
        )

    def given_up(self, session: Session, job: Job) -> list[Event]:
        """Gives the student their try back, and says so in the answer's feedback."""
        answer = _answer(session, job)
        if answer is not None:
            answer.mark = {**answer.mark, "feedback": GIVEN_UP}
            answer.tries -= 1
        return []

    def record(self, session: Session, office: Office, job: Job, result: Checked) -> list[Event]:  # noqa: ARG002
        """Replaces the answer's pending mark by the judge's."""
        answer = _answer(session, job)
        if answer is not None:
            answer.mark = result.mark.model_dump(mode="json")
            answer.version += 1
        return []


def _answer(session: Session, job: Job) -> Answer | None:
    return session.scalar(select(Answer).where(Answer.job_id == job.id))
