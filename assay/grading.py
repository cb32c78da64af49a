"""Grades files here and now: one private sandbox, one judge or several, reports in the order of the files. Knows no output format."""

import multiprocessing
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch

from assay.errors import WrongUsage
from grader.challenge import Challenge, load_challenges
from grader.execution import Executor, SandboxUnavailable
from grader.grade import grade
from grader.report import Report
from grader.siblings import collect_siblings
from grader.submission import Submission
from worker.private_runner import private_runner

FILE_BYTES_MAX = 16 << 20  # far above any limit of a challenge, which the grader enforces itself
SEED_BITS = 48


@dataclass(frozen=True)
class Task:
    """One file to grade."""

    name: str
    submission: Submission
    seed: int


@dataclass(frozen=True)
class Graded:
    """A file and its report, or why the grader itself failed on it."""

    name: str
    report: Report | None
    fault: str = ""


def challenge_named(slug: str) -> Challenge:
    found = load_challenges()
    if slug not in found:
        raise WrongUsage(f"There is no challenge {slug!r}.", f"There is: {', '.join(found)}.")
    return found[slug]


def read_task(path: Path, challenge: Challenge, seed: int | None) -> Task:
    """The file, with the modules of its package that it imports. Raises WrongUsage when it cannot be read."""
    if not path.is_file():
        what = "is a folder; name the file in it" if path.is_dir() else "does not exist"
        raise WrongUsage(f"{path} {what}.")
    if path.stat().st_size > FILE_BYTES_MAX:
        raise WrongUsage(f"{path} has {path.stat().st_size >> 20} MiB: that is no submission.")
    main = challenge.manifest.default_path
    try:
        files = {**collect_siblings(path, main), main: path.read_bytes()}
    except OSError as error:
        raise WrongUsage(f"{error.filename or path} cannot be read: {error.strerror}.") from error
    return Task(str(path), Submission(main, files), secrets.randbits(SEED_BITS) if seed is None else seed)


def grade_all(challenge: Challenge, tasks: Sequence[Task], jobs: int) -> Iterator[Graded]:
    """In the order of the tasks, each as soon as it is there. Raises SandboxUnavailable when this machine has no sandbox."""
    with private_runner(sessions=2 * jobs) as runner:
        if jobs == 1:
            use_one_thread()
            for task in tasks:
                yield _grade_one(challenge, task, runner)
            return
        # Processes: a judge's own work (reference, comparison) holds the interpreter's lock for much of the time.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, mp_context=context, initializer=use_one_thread) as pool:
            count = len(tasks)
            yield from pool.map(_grade_one, [challenge] * count, tasks, [runner] * count)


def use_one_thread() -> None:
    """A paper's tensors are small: more threads only wait for each other."""
    torch.set_num_threads(1)


def _grade_one(challenge: Challenge, task: Task, runner: Executor) -> Graded:
    try:
        return Graded(task.name, grade(challenge, task.submission, task.seed, runner))
    except SandboxUnavailable as error:
        return Graded(task.name, None, str(error))
