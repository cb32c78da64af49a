"""Calls that give values, and sequences of calls: alike in the judge and in the sandbox, and whatever a submission does
there is an answer.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch

from grader.comparison.compare import compare
from grader.comparison.tolerance import Finding
from grader.exercise import in_float64
from grader.guest.execution import FULLY, LIGHTLY, UNTRACED, Call, CallStatus, Ending, Executor, Gives, Outcome, Tracing
from grader.guest.limits import Limits
from grader.guest.loading import Program
from grader.guest.submission import Submission
from grader.inprocess import fresh_module, outcomes_of
from grader.paper.case import Aspect, Case
from grader.paper.distribution import Discrete, Normal
from grader.paper.mismatch import Mismatch
from grader.paper.script import Script
from worker.runner_client import RunnerClient

PATH = "layers.py"
RIGHT = b"""
from dataclasses import dataclass
import numpy as np
import random
import torch


@dataclass
class Node:
    key: bytes
    items: list


def same(x): return x
def kinds(x): return {"n": None, 1: [True, 2.5], (b"k", 1): Node(b"\\x00", [x, np.arange(3)])}
def numbers(x):
    n = 0
    while True:
        yield n
        n += x
def refuses(x):
    if x < 0:
        raise ValueError(f"{x} is below zero")
    return x
def changes(x):
    x.append(4)
    return len(x)
def noise(n): return torch.randn(n)
def coins(n): return [int(random.random() < 0.25) for _ in range(n)]
def raises_late(x):
    yield x
    raise KeyError("late")


class Counter:
    def __init__(self, weights, start=0):
        self.weights = list(weights)
        self.count = start

    def step(self, by=1):
        self.count += by
        if self.count > 100:
            raise OverflowError("too far")
        with torch.no_grad():
            for weight in self.weights:
                weight += self.count * weight.grad
        return self.count
"""
WAYS = {"alone": UNTRACED, "lightly": LIGHTLY, "fully": FULLY}
WATCHED = pytest.mark.parametrize("watched", WAYS.values(), ids=WAYS)


@pytest.fixture(scope="session")
def runner(runner_of_backend: RunnerClient) -> RunnerClient:
    return runner_of_backend


def outcome(executor: Executor, source: bytes, call: Call) -> Outcome:
    execution = executor.run(Submission(PATH, {PATH: source}), [call], Limits())
    assert execution.ending is Ending.COMPLETED
    return execution.outcomes[0]


def found(executor: Executor, case: Case, source: bytes = RIGHT) -> Finding:
    """Compared with what the source above gives."""
    (expected,) = outcomes_of(Program(fresh_module(PATH, RIGHT)), [in_float64(case.call)])
    return compare(case, expected, outcome(executor, source, case.call))


def values_call(function: str, arguments: Mapping[str, Any], **how: Any) -> Call:
    return Call("x", function, arguments, gives=Gives.VALUES, **how)


def case_of(call: Call, **how: Any) -> Case:
    return Case("x", "a case", call, **{"growth": 4.0, "what": "result", **how})


def counting(steps: int = 3) -> Script:
    script = Script("Counter")
    weights = [script.let(torch.ones(2), requires_grad=True), script.let(torch.zeros(3))]
    counter = script.call("Counter", {"weights": weights, "start": 1})
    for number in range(1, steps + 1):
        for weight, size in zip(weights, (2, 3), strict=True):
            script.set(weight, "grad", torch.full((size,), 0.5))
        script.method(counter, "step", named={"by": number})
        script.read(weights, what=f"weights after step {number}")
    script.read(counter, "count")
    return script


GIVEN: list[Any] = [
    7,
    float("nan"),
    "text",
    b"\x00\xff",
    [1, (2, {"a": b"b"})],
    {(1, 2): [None, True]},
    torch.ones(2, dtype=torch.bfloat16),
    [np.ones(2), torch.zeros(1)],
]


@WATCHED
@pytest.mark.parametrize("value", GIVEN, ids=range(len(GIVEN)))
def test_what_is_given_comes_back(executor: Executor, value: Any, watched: Tracing) -> None:
    assert found(executor, case_of(values_call("same", {"x": value}, tracing=watched))) == Finding()


@WATCHED
def test_every_kind_can_be_an_answer(executor: Executor, watched: Tracing) -> None:
    case = case_of(values_call("kinds", {"x": torch.ones(2)}, tracing=watched))
    assert found(executor, case).mismatch is None
    wrong = RIGHT.replace(b"[x, np.arange(3)]", b"[x, np.arange(4)]")
    one = found(executor, case, wrong)
    assert one.mismatch is Mismatch.SHAPE
    assert one.message == "Wrong result, at `[(b'k', 1)].items[1]`: got shape (4,), expected (3,)."


def test_an_iterator_without_end_is_taken_as_far_as_the_case_says(executor: Executor) -> None:
    case = case_of(values_call("numbers", {"x": 2}, most_taken=5))
    assert found(executor, case).mismatch is None
    one = found(executor, case, RIGHT.replace(b"while True:", b"for _ in range(3):"))
    assert one.message == (
        "Wrong result: got an iterator of 3, expected an iterator of more than 5 (the first 3 agree)."
    )


def test_what_an_iterator_raises_is_raised(executor: Executor) -> None:
    one = outcome(executor, RIGHT, values_call("raises_late", {"x": 1}))
    assert one.status is CallStatus.RAISED
    assert one.problem is not None
    assert (one.problem.type, one.problem.line) == ("KeyError", 32)


def test_an_exception_may_be_the_answer(executor: Executor) -> None:
    case = case_of(values_call("refuses", {"x": -1}), raises=("ArithmeticError", "ValueError"))
    assert found(executor, case).mismatch is None
    other = RIGHT.replace(b"raise ValueError", b"raise KeyError")
    assert found(executor, case, other).mismatch is Mismatch.RAISED_OTHERWISE
    assert found(executor, case, RIGHT.replace(b"x < 0", b"False")).mismatch is Mismatch.NOT_RAISED


def test_a_changed_argument_is_noticed_where_the_case_asks(executor: Executor) -> None:
    call = values_call("changes", {"x": [1, 2, 3]}, return_arguments=True)
    kept = RIGHT.replace(b"x.append(4)", b"x = [*x, 4]")
    asked = case_of(call, aspects=frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS}))
    assert found(executor, asked, kept).mismatch is None
    one = found(executor, asked)
    assert one.mismatch is Mismatch.CHANGED_ARGUMENT
    assert one.message.startswith("The call changed its argument x; callers still need the original")
    assert found(executor, case_of(call)).mismatch is None


@WATCHED
def test_objects_stay_and_are_called_again(executor: Executor, watched: Tracing) -> None:
    call = counting().as_call()
    one = outcome(executor, RIGHT, Call(**{**vars(call), "tracing": watched}))
    assert one.status is CallStatus.RETURNED
    assert (one.trace is None) is (watched is UNTRACED)
    assert found(executor, case_of(call)).mismatch is None


def test_the_first_call_that_is_wrong_is_named(executor: Executor) -> None:
    wrong = RIGHT.replace(b"weight += self.count *", b"weight += min(self.count, 2) *")
    one = found(executor, case_of(counting().as_call()), wrong)
    assert one.mismatch is Mismatch.VALUES
    assert one.message.startswith("Wrong weights after step 2 in call 11, at `[0]`: off by up to 1")


def test_what_raises_in_a_sequence_is_told_with_the_call(executor: Executor) -> None:
    wrong = RIGHT.replace(b"self.count > 100", b"self.count > 3")
    one = found(executor, case_of(counting().as_call()), wrong)
    assert one.mismatch is Mismatch.RAISED
    assert one.message.startswith("At call 10 (result of `step(...)`), your code raised OverflowError in line 43")


def test_a_sequence_goes_on_after_an_exception_that_is_right(executor: Executor) -> None:
    script = Script("Counter")
    counter = script.call("Counter", {"weights": []})
    script.method(counter, "step", 200, raises=["ArithmeticError"])
    script.read(counter, "count")
    case = case_of(script.as_call())
    assert found(executor, case).mismatch is None
    one = found(executor, case, RIGHT.replace(b"> 100", b"> 300"))
    assert one.mismatch is Mismatch.NOT_RAISED
    one = found(executor, case, RIGHT.replace(b"OverflowError", b"IndexError"))
    assert one.mismatch is Mismatch.RAISED_OTHERWISE


def test_a_part_of_what_was_given_can_be_passed_on(executor: Executor) -> None:
    script = Script("same")
    pair = script.call("same", {"x": ([1, 2], {"k": 3})})
    script.call("same", {"x": [script.item(pair, 0), script.item(script.item(pair, 1), "k")]})
    one = outcome(executor, RIGHT, script.as_call())
    assert one.values is not None
    assert found(executor, case_of(script.as_call())).mismatch is None


ODD: dict[str, bytes] = {
    "nests without end": b"def same(x):\n    a = []\n    a.append(a)\n    return a",
    "many values": b"def same(x): return [0] * 200_000",
    "a long text": b"def same(x): return 'x' * 3_000_000",
    "a giant number": b"def same(x): return 1 << 100_000",
    "complex numbers": b"import torch\ndef same(x): return [torch.ones(1, dtype=torch.complex64)]",
    "an array of objects": b"import numpy as np\ndef same(x): return np.array([object()])",
    "many tensors": b"import torch\ndef same(x): return [torch.ones(1)] * 600",
}


@pytest.mark.parametrize("source", ODD.values(), ids=ODD)
def test_what_cannot_be_sent_is_told_in_a_sentence(runner: RunnerClient, source: bytes) -> None:
    case = case_of(values_call("same", {"x": 1}))
    one = found(runner, case, source)
    assert one.mismatch in (Mismatch.KIND, Mismatch.RAISED)
    assert "more than" in one.message or "cannot be" in one.message


def test_a_number_beyond_every_float_is_a_wrong_answer_where_one_is_expected(executor: Executor) -> None:
    case = case_of(values_call("same", {"x": 0.5}))
    one = found(executor, case, b"def same(x): return 2**1024 - 1")
    assert "a whole number of more than 1023 bits" in one.message


LIARS: dict[str, bytes] = {
    "an object that agrees": b"class A:\n    def __eq__(self, other): return True\ndef same(x): return A()",
    "a number of a class": b"class A(int):\n    def __eq__(self, other): return True\ndef same(x): return A(3)",
    "a list of a class": b"class A(list):\n    def __len__(self): return 1\ndef same(x): return A([3])",
    "a dictionary that has all": b"class A(dict):\n    def __missing__(self, k): return 7\ndef same(x): return A()",
    "a property of a dataclass": (
        b"from dataclasses import dataclass\n@dataclass\nclass A:\n    a: int\n"
        b"    def __getattribute__(self, name): return 7\ndef same(x): return A(7)"
    ),
}


@pytest.mark.parametrize("source", LIARS.values(), ids=LIARS)
def test_no_object_answers_for_itself(executor: Executor, source: bytes) -> None:
    assert found(executor, case_of(values_call("same", {"x": 7})), source).mismatch is not None


@pytest.mark.parametrize(
    ("function", "distribution", "wrong"),
    [
        ("noise", Normal(), (b"torch.randn(n)", b"torch.rand(n)")),
        ("noise", Normal(), (b"torch.randn(n)", b"torch.randn(1).expand(n)")),
        ("noise", Normal(), (b"torch.randn(n)", b"1.5 * torch.randn(n)")),
        ("noise", Normal(), (b"torch.randn(n)", b"torch.randn(n // 2).repeat_interleave(2)")),
        ("coins", Discrete({0.0: 0.75, 1.0: 0.25}), (b"< 0.25", b"< 0.35")),
        ("coins", Discrete({0.0: 0.75, 1.0: 0.25}), (b"int(", b"2 * int(")),
    ],
)
def test_a_random_result_is_judged_by_its_distribution(
    executor: Executor, function: str, distribution: Any, wrong: tuple[bytes, bytes]
) -> None:
    case = case_of(values_call(function, {"n": 4000}, random_seed=5), distribution=distribution)
    assert found(executor, case).mismatch is None
    assert found(executor, case, RIGHT.replace(b"torch.randn(n)", b"-torch.randn(n)")).mismatch is None
    assert found(executor, case, RIGHT.replace(*wrong)).mismatch is Mismatch.DISTRIBUTION


def test_the_same_seed_gives_the_same_numbers(executor: Executor) -> None:
    first, again, other = (
        outcome(executor, RIGHT, values_call("noise", {"n": 5}, random_seed=seed)).values for seed in (1, 1, 2)
    )
    assert first is not None
    assert again is not None
    assert other is not None
    assert torch.equal(first[0], again[0])  # type: ignore[arg-type]
    assert not torch.equal(first[0], other[0])  # type: ignore[arg-type]
