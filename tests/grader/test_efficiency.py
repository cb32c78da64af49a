"""Rough figures of time: what is measured in the session of the paper, what is kept, and who gets a closer look."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import torch

from grader.challenge import Challenge
from grader.comparison.baselines import RENEWED_AFTER_S, RENEWED_AFTER_USES, Baselines
from grader.comparison.efficiency import DIFFERS, FAMILY, is_same
from grader.efficiency_report import Efficiency
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.execution import CallStatus, Executor, Outcome, Session
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import Report, TestResult, TestStatus, Verdict
from tests.grader.echo import CASES, written

# Milliseconds of work at the whole length of 32, and a sixteenth of it at the shorter one.
WORK = """
import threading
import time


def work(x, times=1):
    for _ in range(round(times * 500_000 * (len(x) / 32)**2)):
        pass
    return 1 * x

"""
PLAIN = WORK + "def echo(x):\n    return work(x)\n"
TWICE = WORK + "def echo(x):\n    return work(x, 2)\n"
SLOW = WORK + "def echo(x):\n    return work(x, 25)\n"
# Near in its ratio, and far steeper, whatever a call costs besides.
STEEP = WORK + "def echo(x):\n    return work(x, 0.01 if len(x) < 32 else 2)\n"
SLEEPS = WORK + "def echo(x):\n    time.sleep(0.5 if len(x) == 32 else 0)\n    return work(x)\n"
# Works on when it has answered.
WORKS_ON = """
def echo(x):
    threading.Thread(target=work, args=(x, 25)).start()
    return work(x)
"""
IN_A_THREAD = """
def echo(x):
    given = []
    thread = threading.Thread(target=lambda: given.append(work(x, 4)))
    thread.start()
    thread.join()
    return given[0]
"""
# The paper has one call, of 3 numbers; what is timed has 8 or 32.
FORGETS = "def echo(x):\n    return x if len(x) == 3 else 0 * x\n"
REMEMBERS = WORK + "seen = {}\n\ndef echo(x):\n    return seen.setdefault(len(x), work(x))\n"
SPOILT = """
calls = []

def echo(x):
    calls.append(len(x))
    is_spoilt = len(calls) > 1 and 3 in calls
    return work(x) * (2 if is_spoilt else 1)
"""


@dataclass
class Counting(Executor):
    """Counts the sessions that are opened."""

    executor: Executor
    sessions: list[bytes] = field(default_factory=list)

    @property
    def description(self) -> str:
        return self.executor.description

    @contextmanager
    def open(self, submission: Submission, limits: Limits) -> Iterator[Session]:
        self.sessions.append(submission.source)
        with self.executor.open(submission, limits) as session:
            yield session


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Challenge:
    return written(tmp_path_factory.mktemp("challenges"), plain=PLAIN)


@pytest.fixture
def sandbox(runner: Executor) -> Counting:
    return Counting(runner)


@pytest.fixture
def baselines() -> Baselines:
    return Baselines(lambda: 0.0)


def graded(challenge: Challenge, source: str, execute: Executor, baselines: Baselines | None, seed: int = 3) -> Report:
    return grade(challenge, Submission("echo.py", {"echo.py": source.encode()}), seed, execute, baselines=baselines)


def rough(challenge: Challenge, source: str, execute: Counting) -> Efficiency:
    """On a busy machine that may take more than one try."""
    for _ in range(10):
        execute.sessions.clear()
        found = graded(challenge, source, execute, Baselines(lambda: 0.0)).efficiency
        if found is not None and found.is_rough:
            return found
    pytest.fail("always measured in turns")


def timing(report: Report) -> TestResult:
    (found,) = [test for test in report.tests if test.group == FAMILY]
    return found


def test_what_is_near_is_not_measured_in_turns(echo: Challenge, sandbox: Counting) -> None:
    found = rough(echo, PLAIN + "\n", sandbox)
    assert [source.decode() for source in sandbox.sessions] == [PLAIN + "\n", PLAIN]  # the paper's, and what is kept
    assert found.time_ratio == pytest.approx(1, abs=0.7)
    assert found.memory_ratio is not None
    assert found.scaling is not None
    assert found.scaling.time_exponent == pytest.approx(1.6, abs=0.6)
    assert found.scaling.memory_exponent is None
    assert any("rough figures" in message for message in found.messages)


def test_what_is_kept_serves_the_next(echo: Challenge, sandbox: Counting, baselines: Baselines) -> None:
    baselines.plain(exercise_of(echo), sandbox)
    sandbox.sessions.clear()
    reports = [graded(echo, PLAIN, sandbox, baselines) for _ in range(10)]
    in_turns = sum(report.efficiency is not None and not report.efficiency.is_rough for report in reports)
    assert in_turns < 10
    assert len(sandbox.sessions) == 10 + 2 * in_turns


def test_twice_the_work_is_twice_the_time(echo: Challenge, sandbox: Counting) -> None:
    assert rough(echo, TWICE, sandbox).time_ratio == pytest.approx(2, abs=0.9)


@pytest.mark.parametrize("source", [SLOW, STEEP, SLEEPS, WORK + WORKS_ON, WORK + IN_A_THREAD])
def test_who_is_not_near_is_measured_in_turns(
    echo: Challenge, sandbox: Counting, baselines: Baselines, source: str
) -> None:
    report = graded(echo, source, sandbox, baselines)
    assert report.verdict is Verdict.PASSED
    assert report.efficiency is not None
    assert not report.efficiency.is_rough
    assert report.efficiency.memory_ratio is not None
    if source == SLOW:
        assert timing(report).status is TestStatus.FAILED


def test_a_wrong_value_while_timed_fails(echo: Challenge, sandbox: Counting, baselines: Baselines) -> None:
    for source in (FORGETS, REMEMBERS):
        report = graded(echo, source, sandbox, baselines)
        assert report.verdict is Verdict.FAILED
        assert timing(report).message == DIFFERS


def test_one_result_of_two_is_not_the_same_however_quick() -> None:
    both = Outcome("", CallStatus.RETURNED, outputs=(torch.ones(2), torch.zeros(2)))
    assert is_same(both, both)
    assert not is_same(both, replace(both, outputs=both.outputs[:1]))
    assert is_same(both, Outcome("", CallStatus.NOT_RUN))


def test_what_only_the_paper_has_spoilt_is_measured_in_turns(
    echo: Challenge, sandbox: Counting, baselines: Baselines
) -> None:
    report = graded(echo, WORK + SPOILT, sandbox, baselines)
    assert report.verdict is Verdict.PASSED
    assert report.efficiency is not None
    assert not report.efficiency.is_rough


def test_figures_are_kept_for_a_while(echo: Challenge, sandbox: Counting) -> None:
    now = [0.0]
    baselines, exercise = Baselines(lambda: now[0]), exercise_of(echo)
    for _ in range(RENEWED_AFTER_USES):
        baselines.plain(exercise, sandbox)
    assert len(sandbox.sessions) == 1
    baselines.plain(exercise, sandbox)
    assert len(sandbox.sessions) == 2
    now[0] = RENEWED_AFTER_S
    baselines.plain(exercise, sandbox)
    assert len(sandbox.sessions) == 3


def test_figures_belong_to_one_version_and_one_sandbox(echo: Challenge, sandbox: Counting, tmp_path: Path) -> None:
    @dataclass
    class Elsewhere(Counting):
        description = "another"

    baselines = Baselines(lambda: 0.0)
    changed = written(tmp_path, CASES + "\n", PLAIN)
    for challenge in (echo, changed):
        for execute in (sandbox, Elsewhere(sandbox)):
            plain = baselines.plain(exercise_of(challenge), execute)
            assert plain is not None
            assert plain is baselines.plain(exercise_of(challenge), execute)
    assert len(sandbox.sessions) == 4


def test_where_nobody_counts_nothing_is_kept(echo: Challenge, baselines: Baselines) -> None:
    execute = Counting(InProcess())
    report = graded(echo, PLAIN, execute, baselines)
    assert report.efficiency is not None
    assert not report.efficiency.is_rough
    assert len(execute.sessions) == 3  # the paper's, and two in turns


def test_reports_agree_however_time_was_measured(echo: Challenge, sandbox: Counting, baselines: Baselines) -> None:
    rough, turned = graded(echo, PLAIN, sandbox, baselines), graded(echo, PLAIN, sandbox, None)
    for report in (rough, turned):
        test = timing(report)
        assert test.status is TestStatus.PASSED
        assert test.score == test.max_score
    without = {"efficiency", "timings", "tests"}
    assert rough.model_dump(exclude=without) == turned.model_dump(exclude=without)
    assert [test for test in rough.tests if test.group != FAMILY] == [
        test for test in turned.tests if test.group != FAMILY
    ]
