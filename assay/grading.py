"""Grades files here and now: in a sandbox that is starting, by one judge or several, reports in order. Knows no output
format.
"""

import multiprocessing
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache

import torch

from assay.errors import SEE_DOCTOR, GraderFailed
from assay.tasks import Task
from grader.challenge import Challenge
from grader.comparison.baselines import Baselines
from grader.exercise import Exercise, exercise_of
from grader.grade import grade
from grader.guest.execution import Executor, SandboxUnavailable
from grader.report import Report
from worker.private_runner import client_of
from worker.runner_process import RunnerProcess

MANY = 4  # files: the plain answer's paper takes as long as four timings in fresh sandboxes


@dataclass(frozen=True)
class GradedFile:
    """A file and its report, or why the grader itself failed on it."""

    name: str
    report: Report | None
    fault: str = ""


def grade_all(challenge: Challenge, tasks: Sequence[Task], jobs: int, starting: RunnerProcess) -> Iterator[GradedFile]:
    """Yields results in the order of the tasks, each as soon as it is there. Raises GraderFailed without a sandbox."""
    try:
        if jobs == 1:
            yield from _grade_here(challenge, tasks, starting)
        else:
            yield from _grade_in_processes(challenge, tasks, jobs, client_of(starting))
    except SandboxUnavailable as error:
        raise GraderFailed(f"Nothing was graded: {_sentence(error)}", SEE_DOCTOR) from error


def _grade_here(challenge: Challenge, tasks: Sequence[Task], starting: RunnerProcess) -> Iterator[GradedFile]:
    _begin_process()
    _prepare(exercise_of(challenge), tasks[0].seed, starting)
    runner = client_of(starting)
    for task in tasks:
        yield _grade_one(challenge, task, runner, len(tasks))


def _prepare(exercise: Exercise, seed: int, starting: RunnerProcess) -> None:
    """Draws the first paper and answers it, which is remembered, for as long as the sandbox is not ready: from then on
    that is done while the sandbox works.
    """
    if not starting.is_ready:
        cases = exercise.paper(seed).cases
        if not starting.is_ready:
            exercise.expected(cases)


def _grade_in_processes(
    challenge: Challenge, tasks: Sequence[Task], jobs: int, runner: Executor
) -> Iterator[GradedFile]:
    """Processes: a judge's own work (reference, comparison) holds the interpreter's lock for much of the time."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_process) as pool:
        each = [len(tasks) // jobs] * len(tasks)
        yield from pool.map(_grade_one, [challenge] * len(tasks), tasks, [runner] * len(tasks), each)


def _begin_process() -> None:
    """Prepares a process that grades: its own programs are trusted, plausible mistakes among them."""
    torch.set_num_threads(1)  # a paper's tensors are small: more threads only wait for each other
    warnings.simplefilter("ignore")  # of a mistake's `std()` of one value, say: it would read as if the file had it


def _grade_one(challenge: Challenge, task: Task, runner: Executor, count: int) -> GradedFile:
    """In a process that grades so many."""
    try:
        report = grade(challenge, task.submission, task.seed, runner, baselines=_baselines_for(count))
        return GradedFile(task.name, report)
    except SandboxUnavailable as error:
        return GradedFile(task.name, None, _sentence(error))


@cache
def _baselines_for(count: int) -> Baselines | None:
    """One for each process, if it grades so many that a paper put to the plain answer saves time."""
    return Baselines(time.monotonic) if count >= MANY else None


def _sentence(error: SandboxUnavailable) -> str:
    return f"{str(error).rstrip('.')}."
