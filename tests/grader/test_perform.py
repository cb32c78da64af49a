"""What a call is given, and what it is seen to do to what an earlier one gave."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from grader.guest.execution import Call, CallStatus, GradMode
from grader.guest.loading import Program
from grader.guest.perform import perform
from grader.inprocess import fresh_module

ROOT = Path(__file__).resolve().parents[2]
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


DIFFERENTIATED = b"""
import torch


def plain(x):
    return (x * x).cumsum(0)


def leaf(x):
    return x


def too_many(x):
    return torch.cat((x, x))


def broadcast(x):
    return (x * x).sum()[None]


def cut(x):
    return (x * x).detach()


def whole(x):
    return x.long()


def as_complex(x):
    return torch.complex(x, x * x)


def as_double(x):
    return x.double() ** 3


def switched_off(x):
    y = x * x
    torch.set_grad_enabled(False)
    return y


def hooked(x):
    y = x * x
    y.register_hook(lambda gradient: gradient * 3)
    return y


class Raising(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        raise ValueError("no way back")


raising = Raising.apply
"""


@pytest.mark.parametrize(
    "function",
    [
        *("plain", "leaf", "too_many", "broadcast", "cut", "whole"),
        *("as_complex", "as_double", "switched_off", "hooked", "raising"),
    ],
)
def test_gradients_and_what_is_said_where_there_are_none_are_those_of_backward(function: str) -> None:
    upstream = torch.tensor([1.0, 10.0, 100.0])
    program = Program(fresh_module("b.py", DIFFERENTIATED), None, own=frozenset({"b.py"}))
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    expected, said = None, ""
    with torch.enable_grad():
        output = program.function(function)(x)
        try:
            torch.autograd.backward(output, upstream.to(output))
            expected = x.grad
        except (RuntimeError, ValueError) as error:
            said = str(error)
    asked = Call("", function, {"x": x.detach()}, gradient=upstream, differentiate=("x",))
    with torch.enable_grad():
        outcome = perform(asked, program)
    assert (outcome.gradient_problem.message if outcome.gradient_problem else "") == said
    found = outcome.gradients["x"]
    assert (found is None) is (expected is None)
    assert found is None or torch.equal(found, expected)


def test_a_gradient_brings_no_compiler_into_the_judge() -> None:
    """SymPy, for one, which takes half a second: `assay grade` has two in all."""
    script = """
import sys, torch
from grader.guest.execution import FULLY, Call
from grader.guest.loading import Program
from grader.guest.perform import perform
from grader.inprocess import fresh_module
program = Program(fresh_module("c.py", b"def f(x): return x * x"))
perform(Call("", "f", {"x": torch.ones(3)}, gradient=torch.ones(3), differentiate=("x",), tracing=FULLY), program)
print(*{"sympy", "torch._dynamo"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


ENDLESS = b"""
import torch

depth = 0


def f(x):
    global depth
    depth += 1
    return f(x)


def depths(x):
    global depth
    found, depth = depth, 0
    return x.new_tensor([found])
"""


def test_a_function_that_calls_itself_without_end_fills_the_whole_stack_only_once() -> None:
    program = Program(fresh_module("a.py", ENDLESS), None, own=frozenset({"a.py"}))
    limit = sys.getrecursionlimit()
    depths = []
    for _ in range(3):
        outcome = perform(call("f"), program)
        assert outcome.problem is not None
        assert (outcome.problem.type, outcome.problem.line) == ("RecursionError", 10)
        depths.append(int(perform(call("depths"), program).outputs[0]))
    assert depths[0] > 500
    assert 100 < depths[1] == depths[2] < 250
    assert sys.getrecursionlimit() == limit
