"""Grades files here and now: a private sandbox, one judge or several, reports in order. Knows no output format."""

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import torch

from assay.errors import GraderFailed
from assay.tasks import Task
from grader.challenge import Challenge
from grader.execution import Executor, SandboxUnavailable
from grader.grade import grade
from grader.report import Report
from worker.private_runner import private_runner


@dataclass(frozen=True)
class Graded:
    """A file and its report, or why the grader itself failed on it."""

    name: str
    report: Report | None
    fault: str = ""


def grade_all(challenge: Challenge, tasks: Sequence[Task], jobs: int) -> Iterator[Graded]:
    """In the order of the tasks, each as soon as it is there. Raises GraderFailed where there is no sandbox."""
    try:
        with private_runner(sessions=2 * jobs) as runner:
            yield from _grade_all(challenge, tasks, jobs, runner)
    except SandboxUnavailable as error:
        raise GraderFailed(
            f"Nothing was graded: {_sentence(error)}", "`assay doctor` says what is missing here."
        ) from error


def _grade_all(challenge: Challenge, tasks: Sequence[Task], jobs: int, runner: Executor) -> Iterator[Graded]:
    if jobs == 1:
        _use_one_thread()
        for task in tasks:
            yield _grade_one(challenge, task, runner)
        return
    # Processes: a judge's own work (reference, comparison) holds the interpreter's lock for much of the time.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_use_one_thread) as pool:
        yield from pool.map(_grade_one, [challenge] * len(tasks), tasks, [runner] * len(tasks))


def _use_one_thread() -> None:
    """A paper's tensors are small: more threads only wait for each other."""
    torch.set_num_threads(1)


def _grade_one(challenge: Challenge, task: Task, runner: Executor) -> Graded:
    try:
        return Graded(task.name, grade(challenge, task.submission, task.seed, runner))
    except SandboxUnavailable as error:
        return Graded(task.name, None, _sentence(error))


def _sentence(error: SandboxUnavailable) -> str:
    return f"{str(error).rstrip('.')}."
