"""Every kind of job that there is."""

from collections.abc import Mapping
from typing import Final

from app.exercises.job import ExercisesJobs
from app.gpu.job import GpuJobs
from app.jobs.kind import Kind
from app.leaderboard.job import MeasureJobs
from app.questions.job import CheckJobs
from app.regrades.job import RegradeJobs
from app.submissions.job import SubmissionJobs
from grader.messages import JobKind

KINDS: Final[Mapping[JobKind, Kind]] = {
    kind.name: kind
    for kind in (SubmissionJobs(), RegradeJobs(), GpuJobs(), CheckJobs(), MeasureJobs(), ExercisesJobs())
}
