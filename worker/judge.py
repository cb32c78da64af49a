"""Grades one request: knows the challenges and the sandbox, and nothing of queues."""

import gc
import time
from functools import lru_cache

import structlog

from grader.challenge import Challenge
from grader.comparison.baselines import Baselines
from grader.comparison.scorer import OnTest
from grader.exercise import exercise_of
from grader.gpu_report import GpuReport
from grader.gpu_stage import run_gpu_stage
from grader.grade import grade, ignore_test
from grader.guest.execution import Device, Executor
from grader.guest.submission import Submission
from grader.leaderboard import measure
from grader.mark_line import mark_line
from grader.measurement import Measurement
from grader.messages import CheckRequest, GpuRequest, GradeRequest, JobKind, MeasureRequest, SubmissionRequest
from grader.questions import LineVariant, Mark, QuestionBank
from grader.report import Report, TestResult
from worker.progress import Progress
from worker.repositories.store import Store

GARBAGE_LOOKED_FOR = 10_000  # objects more than were freed
log = structlog.get_logger()


def settle_heap() -> None:
    """Keeps garbage collection away from everything that was loaded so far. A grading makes thousands of objects, and
    few of them hold each other: looking for those every 700 takes a twentieth of its time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_LOOKED_FOR)


class UnknownChallengeError(Exception):
    """The request names a challenge that this judge does not have: the deployment is uneven."""


class Judge:
    """One for each process."""

    def __init__(
        self, challenges: dict[str, Challenge], execute: Executor, progress: Progress, store: Store | None = None
    ) -> None:
        self._challenges = challenges
        self._store = store
        self._execute = execute
        self._progress = progress
        self._baselines = Baselines(time.monotonic)

    def warm_up(self) -> None:
        """Have the reference answer a paper of each challenge: the first student shall not wait for lazy imports."""
        for challenge in self._challenges.values():
            exercise = exercise_of(challenge)
            exercise.expected(exercise.paper(0).cases)
        settle_heap()

    def grade(self, request: GradeRequest) -> Report:
        """Raises SandboxUnavailable or UnknownChallengeError: ours to mend, never the student's fault."""
        challenge = self._challenge(request)
        waited_s = max(0.0, time.time() - request.queued_at)
        report = grade(
            challenge,
            submission_of(request),
            request.seed,
            self._execute,
            self._teller(request),
            baselines=self._baselines,
        )
        timings = report.timings.model_copy(update={"queued_s": round(waited_s, 4)})
        log.info("submission.graded", verdict=report.verdict, seconds=report.timings.total_s, queued_s=waited_s)
        return report.model_copy(update={"timings": timings})

    def has_gpu_stage(self, request: GradeRequest) -> bool:
        """Whether what passes this challenge is run on a GPU, too."""
        return self._challenge(request).has_gpu_stage

    def gpu_stage(self, request: GpuRequest, device: Device) -> GpuReport:
        """Raises SandboxUnavailable, StageError or UnknownChallengeError: ours to mend, never the student's fault."""
        challenge = self._challenge(request)
        if not challenge.has_gpu_stage:
            raise UnknownChallengeError(f"no GPU stage of {request.challenge!r} here")
        submission = submission_of(request)
        report = run_gpu_stage(exercise_of(challenge), submission, request.seed, self._execute, device)
        log.info("gpu_stage.run", submission_id=request.submission_id, is_right=report.is_right, device=device.name)
        return report

    def check(self, request: CheckRequest) -> Mark:
        """Run a line of code that answers a question. Raises SandboxUnavailable, or UnknownChallengeError when this
        judge does not have such a question.
        """
        bank = bank_of(self._challenge(request))
        try:
            variant = bank.variant(request.question, request.student, request.facts)
        except KeyError:
            variant = None
        if not isinstance(variant, LineVariant):
            raise UnknownChallengeError(f"no line {request.question!r} of {request.challenge!r} here")
        return mark_line(variant, request.given, self._execute)

    def measure(self, request: MeasureRequest) -> tuple[Measurement, str]:
        """Measure a submission for a leaderboard. Raises SandboxUnavailable, MeasurementError or UnknownChallengeError:
        ours to mend, never the student's fault.
        """
        challenge = self._challenge(request)
        found = measure(exercise_of(challenge), submission_of(request), request.seed, self._execute)
        log.info("submission.measured", submission_id=request.submission_id, is_ranked=found.problem is None)
        return found, challenge.version

    def _challenge(self, request: SubmissionRequest | CheckRequest) -> Challenge:
        """Raises UnknownChallengeError, and RepositoryError where the commit cannot be fetched now: the job waits."""
        if request.source is not None:
            if self._store is None:
                raise UnknownChallengeError(
                    f"no folder for exercise repositories here ({request.challenge}): set ASSAY_WORKER_EXERCISES_FOLDER"
                )
            return self._store.challenge(request.challenge, request.source)
        challenge = self._challenges.get(request.challenge)
        if challenge is None:
            message = f"no challenge {request.challenge!r} here; known: {', '.join(self._challenges)}"
            raise UnknownChallengeError(message)
        return challenge

    def _teller(self, request: GradeRequest) -> OnTest:
        def tell(result: TestResult, done: int, total: int) -> None:
            self._progress.test_ended(request.submission_id, result, done, total)

        return tell if request.kind is JobKind.SUBMISSION else ignore_test


@lru_cache(maxsize=32)
def bank_of(challenge: Challenge) -> QuestionBank:
    """Loads a challenge's questions. Raises BankError."""
    return QuestionBank.load(challenge.questions_path)


def submission_of(request: SubmissionRequest) -> Submission:
    """Lays out the files as they lie in the student's project."""
    sent_as = request.sent_as if isinstance(request, GradeRequest) else ""
    return Submission(main=request.main, files=request.files, sent_as=sent_as)
