"""Each way to grade one submission, as a context that gives a function to call. Calls may come from several threads."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import count
from multiprocessing import get_context
from pathlib import Path

import torch

from grader.challenge import Challenge
from grader.comparison.baselines import Baselines
from grader.comparison.compare import compare
from grader.exercise import exercise_of
from grader.grade import grade
from grader.report import Verdict
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

Grade = Callable[[], None]
SEED = 7


class Judge:
    """A judge's process, as the service has one for each worker."""

    runner: RunnerClient
    challenge: Challenge
    baselines: Baselines

    @classmethod
    def prepare(cls, runner: RunnerClient, challenge: Challenge) -> None:
        torch.set_num_threads(1)
        cls.runner, cls.challenge, cls.baselines = runner, challenge, Baselines(time.monotonic)

    @classmethod
    def grade(cls, seed: int) -> None:
        """The whole report: paper, rules, efficiency. A new paper each time."""
        submission = exercise_of(cls.challenge).baseline()
        report = grade(cls.challenge, submission, seed, cls.runner, baselines=cls.baselines)
        assert report.verdict is Verdict.PASSED, report.summary

    @classmethod
    def paper(cls, seed: int) -> None:
        """Only what the others do: the calls of a paper and the comparison."""
        exercise = exercise_of(cls.challenge)
        cases = exercise.paper(seed).cases
        limits = cls.challenge.manifest.session_limits
        execution = cls.runner.run(exercise.baseline(), [case.call for case in cases], limits)
        found = map(compare, cases, exercise.expected(cases), execution.outcomes)
        assert not [finding for finding in found if finding.mismatch]


@contextmanager
def ours(
    challenge: Challenge, at_once: int, settings: dict[str, str], work: Callable[[int], None] = Judge.grade
) -> Iterator[Grade]:
    """Two judges and a runner, as `assay up` has them. `settings` are the runner's."""
    seeds = count(SEED)
    with (
        private_runner(sessions=2 * at_once + 1, **settings) as runner,
        ProcessPoolExecutor(at_once, get_context("spawn"), Judge.prepare, (runner, challenge)) as pool,
    ):
        yield lambda: pool.submit(work, next(seeds)).result()


@contextmanager
def pytest_in_bubblewrap(folder: Path) -> Iterator[Grade]:
    """A fresh Python that imports torch and runs pytest on the paper, without network, on a read-only root."""
    command = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--unshare-all"]
    command += ["--die-with-parent", "--bind", str(folder), str(folder), "--chdir", str(folder)]
    command += [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder)]
    yield lambda: _run([*command, "test_paper.py"], folder)


@contextmanager
def otter(folder: Path, program: Path) -> Iterator[Grade]:
    """`otter run` on a script, with the paper as its tests, as Otter's documentation has it; no sandbox at all."""
    submission, archive = _as_otter_assignment(folder, program)

    def once() -> None:
        output = folder / f"otter-{time.monotonic_ns()}"
        output.mkdir()
        _run([str(program), "run", str(submission), "-a", str(archive), "-o", str(output), "--no-logo"], folder)
        results = json.loads((output / "results.json").read_text())
        assert all(test.get("score") == test.get("max_score") for test in results["tests"]), results
        shutil.rmtree(output)

    yield once


def _as_otter_assignment(folder: Path, program: Path) -> tuple[Path, Path]:
    """One test file with all cases; `otter generate` makes the archive that instructors upload."""
    work = folder / "otter"
    (work / "tests").mkdir(parents=True)
    cases = str(folder / "cases.pt")
    body = (folder / "test_paper.py").read_text()
    checks = body[body.index("def test_case") :]
    (work / "tests" / "paper.py").write_text(
        "from otter.test_files import test_case\nimport sys, torch\nOK_FORMAT = False\nname = 'paper'\npoints = 1\n\n"
        f"sys.path.insert(0, {str(folder)!r})\nimport layers\n"
        + checks.replace("def test_case(case)", "def _check(case)")
        + f"\n\n@test_case()\ndef test_paper():\n    for case in torch.load({cases!r}, weights_only=True):\n"
        "        _check(case)\n"
    )
    (work / "otter_config.json").write_text(json.dumps({"show_hidden": True}))
    submission = work / "submission.py"
    submission.write_text((folder / "layers.py").read_text())
    _run([str(program), "generate", "-t", "tests", "-o", "autograder.zip", "--no-environment", "-l", "python"], work)
    return submission, work / "autograder.zip"


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
