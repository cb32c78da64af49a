"""What a call is given, and what it is seen to do to what an earlier one gave."""

import torch

from grader.execution import Call, CallStatus, GradMode
from grader.inprocess import fresh_module
from grader.loading import Program
from grader.perform import perform

SHARED = b"""
import torch

room = torch.zeros(3)


def f(x):
    return torch.add(x, 1, out=room) if x.dim() else x


def alias(x):
    return x


def fresh(x):
    return x + 1


def nan(x):
    return x * float("nan")


def address(x):
    return torch.tensor([x.data_ptr(), int(x.sum()), x.is_inference()])
"""


def changed(*calls: Call) -> list[bool]:
    program = Program(fresh_module("a.py", SHARED), None, own=frozenset({"a.py"}))
    outcomes = [perform(call, program) for call in calls]
    assert {outcome.status for outcome in outcomes} == {CallStatus.RETURNED}
    return [outcome.changed_earlier for outcome in outcomes]


def call(function: str, number: float = 1.0, **more: object) -> Call:
    return Call("", function, {"x": torch.full((3,), number)}, **more)


def test_a_result_that_the_next_call_overwrites_is_seen() -> None:
    assert changed(call("f"), call("f", 2.0)) == [False, True]


def test_the_same_values_written_again_are_no_change() -> None:
    assert changed(call("f"), call("f")) == [False, False]


def test_new_results_and_nan_are_no_change() -> None:
    assert changed(call("fresh"), call("fresh", 2.0), call("nan"), call("nan")) == [False] * 4


def test_what_the_caller_writes_into_its_own_arguments_is_no_change() -> None:
    """The result is the argument itself, into which the next call's values are written by us."""
    assert changed(call("alias"), call("alias", 2.0, reused=("x",))) == [False, False]


def test_results_of_inference_mode_are_looked_at_too() -> None:
    mode = GradMode.INFERENCE
    assert changed(call("f", grad_mode=mode), call("f", 2.0, grad_mode=mode), call("fresh")) == [False, True, False]


def seen(*calls: Call) -> list[list[int]]:
    """Where each call finds its argument, the sum of it, and whether inference mode made it."""
    program = Program(fresh_module("a.py", SHARED), None, own=frozenset({"a.py"}))
    return [perform(call, program).outputs[0].tolist() for call in calls]


def test_in_inference_mode_arguments_are_inference_tensors_unless_an_earlier_call_had_them() -> None:
    mode = GradMode.INFERENCE
    born, rewritten = seen(call("address", grad_mode=mode), call("address", 2.0, grad_mode=mode, reused=("x",)))
    assert (born[1:], rewritten[1:], born[0] == rewritten[0]) == ([3, 1], [6, 1], True)
    earlier, kept = seen(call("address"), call("address", 2.0, grad_mode=mode, reused=("x",)))
    assert (earlier[1:], kept[1:], earlier[0] == kept[0]) == ([3, 0], [6, 0], True)


def test_what_inference_mode_made_is_not_written_into_outside_of_it() -> None:
    _, later = seen(call("address", grad_mode=GradMode.INFERENCE), call("address", 2.0, reused=("x",)))
    assert later[1:] == [6, 0]
