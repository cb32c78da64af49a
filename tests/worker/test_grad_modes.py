"""A call is made in the grad mode that it names, and gives what it would give elsewhere."""

import pytest
import torch

from grader.guest.execution import (
    FULLY,
    LIGHTLY,
    UNTRACED,
    Call,
    CallStatus,
    Ending,
    Executor,
    GradMode,
    Outcome,
    Tracing,
)
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from worker.runner_client import RunnerClient
from worker.sandbox.frames import decode_call, encode_call
from worker.sandbox.framing import Frame

PATH = "layers.py"
SOURCE = b"""
import torch

def mode(x): return x.new_tensor([torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
def double(x): return 2 * x
def view(x): return x[:1]
def same(x): return x
def pair(x): return x + 1, x + 2
def writes(x): return x.mul_(2)
def only_in_training(x): return x + 1 if torch.is_grad_enabled() else x
"""
WAYS = {"alone": UNTRACED, "lightly": LIGHTLY, "fully": FULLY}
TRACED = pytest.mark.parametrize("tracing", WAYS.values(), ids=WAYS)
MODES = pytest.mark.parametrize("mode", GradMode)


@pytest.fixture(scope="session")
def runner(runner_of_backend: RunnerClient) -> RunnerClient:
    return runner_of_backend


def outcomes(executor: Executor, *calls: Call) -> tuple[Outcome, ...]:
    execution = executor.run(Submission(PATH, {PATH: SOURCE}), calls, Limits())
    assert execution.ending is Ending.COMPLETED
    return execution.outcomes


def call(function: str, mode: GradMode, **options: object) -> Call:
    return Call(f"{function}-{mode}", function, {"x": torch.arange(6.0).reshape(2, 3)}, grad_mode=mode, **options)  # type: ignore[arg-type]


@TRACED
def test_a_call_is_made_in_the_mode_that_it_names_and_the_next_in_its_own(executor: Executor, tracing: Tracing) -> None:
    order = [GradMode.INFERENCE, GradMode.DEFAULT, GradMode.NO_GRAD, GradMode.DEFAULT]
    got = [
        outcome.outputs[0].tolist()
        for outcome in outcomes(executor, *(call("mode", m, tracing=tracing) for m in order))
    ]
    assert got == [[False, True], [True, False], [False, False], [True, False]]


@MODES
@TRACED
def test_values_of_every_mode_come_back_as_tensors_like_any_other(
    executor: Executor, mode: GradMode, tracing: Tracing
) -> None:
    functions = ("double", "view", "same", "pair", "writes")
    for got in outcomes(executor, *(call(name, mode, return_arguments=True, tracing=tracing) for name in functions)):
        assert got.status is CallStatus.RETURNED, got.problem
        for tensor in (*got.outputs, *got.arguments.values()):
            assert not tensor.is_inference()
            assert not tensor.requires_grad
            tensor.add_(1)  # and whoever compares may do anything with it


@pytest.mark.parametrize("mode", [GradMode.NO_GRAD, GradMode.INFERENCE])
def test_arguments_that_would_be_differentiated_may_be_given_without_a_graph(
    executor: Executor, mode: GradMode
) -> None:
    (got,) = outcomes(executor, call("double", mode, differentiate=("x",)))
    assert torch.equal(got.outputs[0], 2 * torch.arange(6.0).reshape(2, 3))
    assert got.gradients == {}


def test_what_goes_wrong_only_without_a_graph_is_seen(executor: Executor) -> None:
    graph, without = outcomes(executor, *(call("only_in_training", m) for m in (GradMode.DEFAULT, GradMode.NO_GRAD)))
    assert torch.equal(graph.outputs[0], without.outputs[0] + 1)


def test_a_call_without_a_graph_cannot_ask_for_gradients() -> None:
    with pytest.raises(ValueError, match="made without a graph"):
        call("double", GradMode.INFERENCE, gradient=torch.ones(2, 3), differentiate=("x",))


@MODES
def test_the_mode_travels_with_the_call_and_an_unknown_one_is_refused(mode: GradMode) -> None:
    frame = encode_call(call("double", mode))
    assert decode_call(frame).grad_mode is mode
    with pytest.raises(ValueError, match="training"):
        decode_call(Frame(frame.kind, {**frame.fields, "grad_mode": "training"}, frame.body))
