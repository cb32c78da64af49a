"""Measuring a submission for a leaderboard, in the sandbox: what it takes, and what an attacker does not gain."""

from dataclasses import replace

import pytest

from grader.challenge import Challenge, load_challenges
from grader.exercise import Exercise, exercise_of
from grader.guest.submission import Submission
from grader.leaderboard import LIBRARY, OUTER, ROUNDS, TOO_SLOW, WRONG, interval, measure
from grader.measurement import Measurement
from worker.runner_client import RunnerClient

# The plain right answer, but for what it does where it is measured: no case of a paper has this size.
WRAPPER = """
import functools, inspect, threading, time, torch
_right = multihead_self_attention_with_rope
_seen = []

@functools.wraps(_right)
def multihead_self_attention_with_rope(*args, **kwargs):
    given = inspect.signature(_right).bind(*args, **kwargs).arguments
    x = given['in_features']
    if x.shape[-2] != 128:
        return _right(**given)
    {body}
"""
ATTACKS = {
    "says what it said before": ("_seen.append(_right(**given)) if not _seen else None; return _seen[0]", WRONG),
    "is right at first": ("_seen.append(0); y = _right(**given); return y if len(_seen) < 5 else y * 0", WRONG),
    "leaves a token out": ("y = _right(**given); y[..., -1, :] = 0; return y", WRONG),
    "works in half precision": ("return _right(**given).bfloat16().float()", WRONG),
    "gives NaN": ("return _right(**given) * float('nan')", WRONG),
    "answers in float64": ("return _right(**given).double()", WRONG),
    "takes the library's attention": (
        "torch.nn.functional.scaled_dot_product_attention(x, x, x); return _right(**given)",
        LIBRARY.partition("{")[0],
    ),
    "raises": ("raise ValueError('not today')", "Your code raised ValueError"),
    "ends": ("__import__('os')._exit(0)", "Your code crashed or ended its process"),
    "never ends": ("\n    while True: pass", "Your code took longer than 3 s"),
    "gives nothing": ("return None", "Your code"),
}


@pytest.fixture(scope="module")
def exercise(mha_rope: Challenge) -> Exercise:
    return exercise_of(mha_rope)


def with_body(exercise: Exercise, body: str) -> Submission:
    right = exercise.baseline()
    return replace(right, files={right.main: right.source + WRAPPER.format(body=body).encode()})


def measured(exercise: Exercise, body: str, runner: RunnerClient) -> Measurement:
    return measure(exercise, with_body(exercise, body), 2**60 + 1, runner)


def test_three_times_the_work_is_certainly_behind_the_plain_answer(exercise: Exercise, runner: RunnerClient) -> None:
    """The slower one works on in a thread after it has answered, and is charged for it."""
    plain = measure(exercise, exercise.baseline(), 2**60, runner)
    more = "threading.Thread(target=lambda: [_right(**given) for _ in range(9)]).start(); return _right(**given)"
    slow = measured(exercise, more, runner)
    assert plain.time is not None
    assert slow.time is not None
    assert plain.time.low < 1.2
    assert plain.time.high > 0.8
    assert plain.time.high < slow.time.low
    assert plain.memory is not None
    assert plain.memory.median == pytest.approx(1, abs=0.25)


@pytest.mark.parametrize("name", ATTACKS)
def test_nobody_ranks_by_being_wrong_where_it_is_measured(exercise: Exercise, runner: RunnerClient, name: str) -> None:
    body, told = ATTACKS[name]
    found = measured(exercise, body, runner)
    assert (found.time, found.memory) == (None, None)
    assert found.problem is not None
    assert found.problem.startswith(told)


def test_torch_ranks_nobody_in_an_exercise_over_another_library(runner: RunnerClient) -> None:
    """Right answers are ranked: what the harness does with torch is handing over."""
    exercise = exercise_of(load_challenges()["tinytorch-attention"])
    plain = exercise.baseline()
    assert measure(exercise, plain, 2**60, runner).problem is None
    summed = b"""
_right = scaled_dot_product_attention

def scaled_dot_product_attention(Q, K, V, mask=None):
    import sys
    sys.modules["torch"].ones(2).sum()
    return _right(Q, K, V, mask)
"""
    problem = measure(exercise, replace(plain, files={plain.main: plain.source + summed}), 2**60, runner).problem
    assert problem is not None
    assert problem.startswith(LIBRARY.partition("{")[0])


def test_who_sleeps_keeps_no_judge_for_long(
    exercise: Exercise, runner: RunnerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sleeping takes no processor time."""
    monkeypatch.setattr("grader.leaderboard.SPARE_S", 1.0)
    monkeypatch.setattr("grader.leaderboard.SLOWEST", 1.0)
    found = measured(exercise, "time.sleep(0.5); return _right(**given)", runner)
    assert (found.time, found.problem) == (None, TOO_SLOW)


def test_an_interval_leaves_out_the_outer_ratios_on_either_side() -> None:
    found = interval([float(number) for number in range(ROUNDS, 0, -1)])
    assert (found.low, found.median, found.high) == (1 + OUTER, 8.0, ROUNDS - OUTER)
