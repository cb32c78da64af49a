"""Running on a GPU what has passed, as a job. It opens with the verdict, and never changes it."""

from sqlalchemy.orm import Session

from app.broker import Broker, BrokerDown
from app.jobs.dispatch import work_of
from app.jobs.kind import Event, Kind, Office
from app.jobs.transitions import open_job
from app.models import GpuStage, Job, Submission, now
from grader.gpu_report import GpuState
from grader.messages import GpuRequest, GpuRun, Graded, JobKind
from grader.report import Verdict


class GpuJobs(Kind):
    """Jobs that run GPU stages. The state of the stage is what the student sees of the job's."""

    name = JobKind.GPU

    def request(self, session: Session, job: Job) -> GpuRequest | None:
        row = session.get_one(Submission, job.submission_id)
        return GpuRequest(job=job.id, seed=row.seed, **work_of(session, row, row.challenge_version))

    def started(self, session: Session, job: Job) -> list[Event]:
        return _set_state(session, job, GpuState.RUNNING)

    def requeued(self, session: Session, job: Job) -> list[Event]:
        return _set_state(session, job, GpuState.WAITING)

    def given_up(self, session: Session, job: Job) -> list[Event]:
        return _set_state(session, job, GpuState.NOT_RUN)

    def record(self, session: Session, office: Office, job: Job, result: GpuRun) -> list[Event]:  # noqa: ARG002
        stage = session.get_one(GpuStage, job.submission_id)
        stage.body, stage.ended_at = result.report.model_dump_json(), now()
        return _set_state(session, job, GpuState.DONE if result.report.is_right else GpuState.FAILED)


def open_gpu_stage(session: Session, office: Office, submission: Submission, result: Graded) -> list[Event]:
    """Opens the submission's GPU stage in the transaction of its verdict, if it has one, and returns the events to
    send.
    """
    if not result.has_gpu_stage or result.report.verdict is not Verdict.PASSED:
        return []
    stage = GpuStage(submission_id=submission.id, state=GpuState.NOT_RUN)
    if office.settings.gpu_expected or _is_somebody_there(office.broker):
        stage.state, stage.job_id = GpuState.WAITING, open_job(session, JobKind.GPU, submission.id).id
    session.add(stage)
    return _event(stage)


def _is_somebody_there(broker: Broker) -> bool:
    try:
        return broker.gpu_judges() > 0
    except BrokerDown:
        return False


def _set_state(session: Session, job: Job, state: GpuState) -> list[Event]:
    stage = session.get_one(GpuStage, job.submission_id)
    stage.state = state
    return _event(stage)


def _event(stage: GpuStage) -> list[Event]:
    return [("gpu", {"state": stage.state})]
