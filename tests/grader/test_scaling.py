"""How time and memory grow with the sequence: real sandboxes, counted by the kernel."""

from pathlib import Path

import pytest

from grader.challenge import Challenge
from grader.comparison.efficiency import DIFFERS, measure_efficiency
from grader.efficiency_report import Scaling
from grader.exercise import exercise_of
from grader.guest.execution import Executor
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.proof.folder import problems_of
from tests.grader.echo import CASES, PLAIN, written
from worker.runner_client import RunnerClient

# At the shorter length they work for milliseconds and hold megabytes: more than a call costs anyway.
WORKS = """
def echo(x):
    for _ in range(round(200_000 * (len(x) / 8)**{power})):
        pass
    return 1 * x
"""
HOLDS = """
import torch


def echo(x):
    held = torch.ones(round((4 << 20) * (len(x) / 8)**{power}))
    return 1 * x
"""
PATCHES = """
import resource
import time

for clock in ("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "process_time", "thread_time"):
    setattr(time, clock, lambda: 0)
resource.getrusage = None
"""


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Challenge:
    return written(tmp_path_factory.mktemp("challenges"), CASES)


def scaling(challenge: Challenge, source: str, execute: Executor) -> Scaling | None:
    sent = Submission("echo.py", {"echo.py": source.encode()})
    timed = measure_efficiency(exercise_of(challenge), sent, 3, execute, {})
    assert timed.efficiency.time_ratio is not None
    return timed.efficiency.scaling


@pytest.mark.parametrize("power", [1, 2, 3])
def test_linear_quadratic_and_cubic_time_are_told_apart(echo: Challenge, runner: RunnerClient, power: int) -> None:
    found = scaling(echo, WORKS.format(power=power), runner)
    assert found is not None
    assert found.lengths == (8, 32)
    assert found.time_exponent == pytest.approx(power, abs=0.5)
    assert found.memory_exponent is None  # it holds next to nothing


def test_clocks_that_stand_still_change_nothing(echo: Challenge, runner: RunnerClient) -> None:
    found = scaling(echo, PATCHES + WORKS.format(power=2), runner)
    assert found is not None
    assert found.time_exponent == pytest.approx(2, abs=0.5)


@pytest.mark.parametrize("power", [1, 2])
def test_linear_and_quadratic_memory_are_told_apart(echo: Challenge, runner: RunnerClient, power: int) -> None:
    found = scaling(echo, HOLDS.format(power=power), runner)
    assert found is not None
    assert found.memory_exponent == pytest.approx(power, abs=0.3)
    assert found.plain_memory_exponent is None


def test_without_a_length_or_a_count_nothing_is_told(echo: Challenge, runner: RunnerClient, tmp_path: Path) -> None:
    of_one_length = written(tmp_path, CASES.replace("draw, seq=32", "draw").replace("seq", "32"))
    assert scaling(of_one_length, PLAIN, runner) is None
    assert scaling(echo, PLAIN, InProcess()) is None


def test_other_results_for_shorter_sequences_tell_nothing_and_cost_nothing(
    echo: Challenge, runner: RunnerClient
) -> None:
    wrong_when_short = "def echo(x):\n    return x if len(x) == 32 else 2 * x\n"
    sent = Submission("echo.py", {"echo.py": wrong_when_short.encode()})
    timed = measure_efficiency(exercise_of(echo), sent, 3, runner, {})
    assert timed.efficiency.scaling is None
    assert timed.is_right
    assert timed.test.message != DIFFERS


@pytest.mark.parametrize("default", ["", "=8", "='long'"])
def test_a_length_needs_a_default_that_can_be_divided(tmp_path: Path, default: str) -> None:
    challenge = written(tmp_path, CASES.replace("seq=32", f"seq{default}"))
    assert any("it needs a default of 32 or more" in problem for problem in problems_of(challenge))


@pytest.mark.parametrize(
    ("time", "plain", "told"),
    [
        (1.95, 0.75, "Doubling the sequence makes your code 3.9 times as slow (a plain correct answer: 1.7 times)"),
        (2.9, 1.9, "7.5 times as slow (a plain correct answer: 3.7 times)"),
        (2.1, 1.9, ""),
        (1.2, 0.2, ""),  # no more than linear
        (None, None, ""),
    ],
)
def test_a_student_is_told_where_it_is_telling(time: float | None, plain: float | None, told: str) -> None:
    messages = Scaling(lengths=(32, 128), time_exponent=time, plain_time_exponent=plain).messages
    assert len(messages) == (1 if told else 0)
    assert all(told in message for message in messages)


def test_memory_is_told_beside_a_plain_answer_that_needs_none() -> None:
    (message,) = Scaling(lengths=(64, 256), time_exponent=1.0, plain_time_exponent=1.0, memory_exponent=2.0).messages
    assert message == (
        "Doubling the sequence makes your code hold 4.0 times as much memory (a plain correct answer: too little to "
        "measure), measured from 64 to 256 tokens."
    )
