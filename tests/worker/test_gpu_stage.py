"""The GPU stage, the same code with a CPU in the place of the GPU: in the sandbox, as a GPU worker runs it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from grader.challenge import load_challenge, load_challenges
from grader.exercise import Exercise, exercise_of
from grader.gpu_report import GpuReport
from grader.gpu_stage import LIMITS, StageError, _Stage, run_gpu_stage
from grader.guest.execution import Call, CallStatus, Drawn, Outcome, Session, Stage, Step
from grader.guest.limits import Limits
from grader.guest.perform import elsewhere
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from tests.small_stage import CPU, challenges_with_small_stage
from worker.runner_client import RunnerClient

QUICK = replace(LIMITS, wall_s=8.0, cpu_s=8.0, memory_bytes=1 << 30, processes=16)
IS_TIMED = "kwargs['in_features'].shape[-2] == 64 and len(kwargs['in_features']) > 2"
WRAPPER = """
import functools, inspect, os, time
_right = multihead_self_attention_with_rope

@functools.wraps(_right)
def multihead_self_attention_with_rope(*args, **kwargs):
    kwargs = inspect.signature(_right).bind(*args, **kwargs).arguments
    dtype = kwargs['in_features'].dtype
    if {when}:
        {what}
    return _right(**kwargs)
"""


@pytest.fixture(scope="module")
def exercise(tmp_path_factory: pytest.TempPathFactory) -> Exercise:
    root = challenges_with_small_stage(tmp_path_factory.mktemp("challenges"))
    return exercise_of(load_challenge(root / "mha-rope"))


def spoiled(exercise: Exercise, what: str, when: str = IS_TIMED) -> Submission:
    """The plain right answer, but for what it does besides; by default only where it is timed."""
    right = exercise.baseline()
    source = right.source + WRAPPER.format(when=when, what=what).encode()
    return replace(right, files={right.main: source})


def stage(exercise: Exercise, submission: Submission, runner: RunnerClient, limits: Limits = QUICK) -> GpuReport:
    return run_gpu_stage(exercise, submission, 3, runner, CPU, limits)


def test_the_plain_answer_takes_as_long_and_as_much_as_itself(exercise: Exercise, runner: RunnerClient) -> None:
    report = stage(exercise, exercise.baseline(), runner)
    assert report.is_right
    assert [(tests.dtype, tests.passed == tests.total > 50) for tests in report.tests] == [
        ("float32", True),
        ("bfloat16", True),
    ]
    assert report.size == "batch 32, sequence 64, d_model 64, 4 heads, float32"
    assert report.memory_ratio == pytest.approx(1, abs=0.5)
    if report.time is not None:  # else other work on this machine was noticed, and the times left out
        assert 0.2 < report.time.median < 5
        assert report.time.least <= report.time.median <= report.time.most
        assert report.device_time is not None


def test_a_slow_one_has_a_higher_ratio(exercise: Exercise, runner: RunnerClient) -> None:
    report = stage(exercise, spoiled(exercise, "time.sleep(0.2)"), runner)
    assert report.is_right
    assert report.time is None or report.time.median > 2
    greedy = stage(exercise, spoiled(exercise, "held = bytearray(300 << 20)"), runner)
    assert greedy.memory_ratio is not None
    assert greedy.memory_ratio > 2


@pytest.mark.parametrize(
    ("what", "when", "said"),
    [
        ("raise ValueError('no bfloat16')", "dtype is torch.bfloat16", "tests in bfloat16 failed"),
        ("os._exit(3)", "dtype is torch.bfloat16", "ended the process itself"),
        ("os._exit(3)", IS_TIMED, "4 heads, float32 your code ended the process itself"),
        ("raise ValueError('too large')", IS_TIMED, "your code raised ValueError in line"),
        ("return _right(**kwargs) * 1.1", IS_TIMED, "it gave a different result"),
        ("return None", IS_TIMED, "not a tensor"),
        ("bytearray(2 << 30)", IS_TIMED, "ran out of memory"),
    ],
)
def test_what_goes_wrong_is_told(exercise: Exercise, runner: RunnerClient, what: str, when: str, said: str) -> None:
    report = stage(exercise, spoiled(exercise, what, when), runner)
    assert not report.is_right
    assert said in report.message
    assert report.time is None


def test_what_does_not_end_is_stopped(exercise: Exercise, runner: RunnerClient) -> None:
    report = stage(exercise, spoiled(exercise, "time.sleep(60)"), runner, replace(QUICK, wall_s=1.5))
    assert "did not finish" in report.message


def test_a_file_that_cannot_be_imported_is_told(exercise: Exercise, runner: RunnerClient) -> None:
    right = exercise.baseline()
    report = stage(exercise, replace(right, files={right.main: b"raise ValueError('here')\n"}), runner)
    assert "could not be imported (ValueError in line 1: here)" in report.message


def test_where_the_plain_answer_fails_it_is_our_fault(exercise: Exercise, runner: RunnerClient, tmp_path: Path) -> None:
    folder = challenges_with_small_stage(tmp_path) / "mha-rope"
    broken = spoiled(exercise, "raise ValueError('ours')")
    (folder / "accepted" / "einops_heads.py").write_bytes(broken.source)
    with pytest.raises(StageError, match="the plain correct answer raised ValueError"):
        stage(exercise_of(load_challenge(folder)), exercise.baseline(), runner)


def test_a_mistake_is_found_in_bfloat16_too(exercise: Exercise) -> None:
    mistakes = {mistake.name: mistake for mistake in exercise.misconceptions}
    report = run_gpu_stage(exercise, exercise.submission_with(mistakes["missing-scale"]), 3, InProcess(), CPU)
    assert all(tests.passed < tests.total for tests in report.tests)
    assert report.message.startswith("Right on the CPU; on a CPU in its place, ")


def test_every_accepted_answer_is_right_by_a_margin_in_bfloat16(exercise: Exercise) -> None:
    for variant in exercise.variants("accepted"):
        with InProcess().open(variant.submission, QUICK) as session:
            session.load()
            tests = list(_Stage(exercise, 5, CPU, QUICK).tests(session))
        assert [each.passed for each in tests] == [each.total for each in tests], variant.name
        assert all(each.worst is not None and each.worst < 0.5 for each in tests), variant.name


@pytest.mark.parametrize(("free_gb", "batch"), [(140, 32), (79, 16), (40, 8), (11, 2), (1, 1)])
def test_the_headline_is_scaled_to_the_card(mha_rope: object, free_gb: int, batch: int) -> None:
    exercise = exercise_of(load_challenges()["mha-rope"])
    device = replace(CPU, free_bytes=free_gb * 10**9)
    assert _Stage(exercise, 0, device, LIMITS)._batch() == batch
    assert exercise.gpu_stage.headline(32).arguments["in_features"] == Drawn((32, 2048, 4096))
    scores = 32 * 32 * 2048**2 * 4
    assert exercise.gpu_stage.bytes_of(32) > 3 * scores > 3 * 17.1e9


def test_a_result_that_is_left_on_another_device_is_told() -> None:
    problem = elsewhere((torch.empty(1),), "cuda")
    assert problem is not None
    assert problem.message == "returned a tensor on cpu, but its input is on cuda"
    assert elsewhere((torch.empty(1, device="meta"),), "meta") is None


def test_steps_out_of_order_are_an_answer(exercise: Exercise, runner: RunnerClient) -> None:
    call = Call("x", "multihead_self_attention_with_rope", {"in_features": Drawn((2, 3))}, stage=Stage(Step.PERFORM, 1))
    execution = runner.run(exercise.baseline(), [call, replace(call, stage=Stage(Step.SHOW, 1))], QUICK)
    assert [outcome.status for outcome in execution.outcomes] == [CallStatus.RAISED] * 2


def test_the_stage_is_no_part_of_the_challenges_version(exercise: Exercise) -> None:
    assert exercise.challenge.version == load_challenges()["mha-rope"].version


class Listening(InProcess):
    """Notes what a session is told of seeds."""

    def __init__(self) -> None:
        self.seeds: list[int] = []

    @contextmanager
    def open(self, submission: Submission, limits: Limits) -> Iterator[Session]:
        with super().open(submission, limits) as session:
            answer = session.call

            def note(call: Call) -> Outcome:
                self.seeds.append(0 if call.stage is None else call.stage.seed)
                return answer(call)

            session.call = note  # type: ignore[method-assign]
            yield session


@pytest.mark.parametrize("seed", [3, 2**31 - 1, 2**63 - 1])
def test_the_students_process_is_not_told_the_papers_seed(exercise: Exercise, seed: int) -> None:
    listening = Listening()
    assert run_gpu_stage(exercise, exercise.baseline(), seed, listening, CPU, QUICK).is_right
    drawn = {found for found in listening.seeds if found}
    assert len(drawn) > 4
    assert min(abs(found - seed) for found in drawn) > 1000
