"""Grades the files of made-up students with the real grader, each once."""

from collections.abc import Callable
from random import Random

from assay.demo.school import GradedSources
from assay.demo.sources import sources_of
from assay.errors import GraderFailed
from assay.grading import grade_all
from assay.tasks import SEED_BITS, Task
from grader.challenge import Challenge
from grader.exercise import exercise_of
from grader.guest.submission import Submission
from worker.runner_process import runner_process

TOLD_EVERY = 10


def grade_sources(challenge: Challenge, random: Random, jobs: int, tell: Callable[[str], None]) -> GradedSources:
    """Raises GraderFailed when there is no sandbox, or one of the files could not be graded."""
    exercise = exercise_of(challenge)
    sources = sources_of(exercise, random)
    main = challenge.manifest.default_path
    tasks = [
        Task(str(number), Submission(main, {main: source}, challenge.support), random.getrandbits(SEED_BITS))
        for number, source in enumerate(sources.all)
    ]
    reports = {}
    with runner_process(sessions=2 * jobs) as starting:
        for number, graded in enumerate(grade_all(challenge, tasks, jobs, starting), start=1):
            if graded.report is None:
                raise GraderFailed(graded.fault)
            reports[tasks[number - 1].submission.source] = graded.report
            if number % TOLD_EVERY == 0 or number == len(tasks):
                tell(f"{challenge.slug}: {number} of {len(tasks)} files graded")
    return GradedSources(sources, reports)
