"""Values of every kind are compared with what is right, and the first place that differs is told in plain words."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from grader.comparison.difference import Differ, Difference
from grader.guest.problem import Problem
from grader.guest.values import MOST_BITS, Raised, frozen


@dataclass
class State:
    step: int
    mean: list[float]


@dataclass
class Other:
    step: int
    mean: list[float]


def numbers(count: int) -> Iterator[int]:
    yield from range(count)


NO_NUMBERS = "got numbers where NaN or infinity is expected, or the other way"


def difference(right: Any, found: Any, **how: Any) -> Difference:
    return Differ(**{"growth": 4.0, **how}).first(frozen(right), frozen(found))


SAME: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (0.1, 0.1 + 1e-9),
    (2.0, 2),
    (math.nan, math.nan),
    (math.inf, math.inf),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({(1, b"x"): [1.0]}, {(1, b"x"): [1.0 + 1e-9]}),
    (State(1, [0.5]), Other(1, [0.5])),
    (torch.tensor([1.0, math.nan]), torch.tensor([1.0 + 1e-7, math.nan])),
    (np.arange(3), np.arange(3)),
    (numbers(3), iter([0, 1, 2])),
    (object(), Exception()),
]


@pytest.mark.parametrize(("right", "found"), SAME, ids=range(len(SAME)))
def test_equal_values_are_equal(right: Any, found: Any) -> None:
    assert difference(right, found).mismatch is None


TOLD: list[tuple[Any, Any, str, str]] = [
    (7, 5, "", "got 5, expected 7"),
    (1, True, "", "got True, expected 1"),
    (1.0, True, "", "got True, expected 1.0"),
    (0, 0.0, "", "got 0.0, expected 0"),
    ([1], (1,), "", "got a tuple of 1: (1,), expected a list of 1: [1]"),
    ([], None, "", "got None, expected a list of 0"),
    (b"a", "a", "", "got 'a', expected b'a'"),
    ([0, 1, 2, {"ids": [5, 6, 7]}], [0, 1, 2, {"ids": [5, 6, 8]}], "[3]['ids'][2]", "got 8, expected 7"),
    ({1: "a"}, {"1": "a"}, "", "the key 1 is missing"),
    ({(1, b"x"): [1]}, {(1, b"x"): [2]}, "[(1, b'x')][0]", "got 2, expected 1"),
    ({"a": 1}, {"a": 1, "b": 2}, "", "the key 'b' should not be there"),
    ([1, 2, 3], [1, 2], "", "got a list of 2, expected a list of 3 (the first 2 agree)"),
    ([1, 2, 3], [1, 3], "[1]", "got 3, expected 2"),
    (numbers(2), numbers(3), "", "got an iterator of 3, expected an iterator of 2 (the first 2 agree)"),
    (State(1, [0.5]), State(1, [0.75]), ".mean[0]", "got 0.75, expected 0.5; rounding explains 2e-07"),
    (1.0, (1 << MOST_BITS) - 1, "", "got 8.988e+307, expected 1; rounding explains 5e-07"),
    (1.0, math.nan, "", "got nan, expected 1.0"),
    (math.inf, 1.0, "", "got 1.0, expected inf"),
    (math.nan, 0.0, "", "got 0.0, expected nan"),
    (torch.tensor([1.0, math.nan]), torch.tensor([1.0, 0.0]), "", NO_NUMBERS),
    (torch.tensor([1.0, math.inf]), torch.tensor([1.0, torch.finfo(torch.float32).max]), "", NO_NUMBERS),
    (torch.tensor([1.0, math.inf]), torch.tensor([1.0, -math.inf]), "", NO_NUMBERS),
    ([torch.ones(2, 3)], [torch.ones(3, 2)], "[0]", "got shape (3, 2), expected (2, 3)"),
    ([torch.ones(2)], [torch.ones(2).double()], "[0]", "got dtype torch.float64, expected torch.float32"),
    (torch.tensor([1, 2]), torch.tensor([1, 3]), "[1]", "got 3, expected 2"),
    (np.ones(2), torch.ones(2), "", "got a tensor of shape (2,), expected a NumPy array of shape (2,)"),
    (object(), None, "", "got None, expected an object of type `object`"),
]


@pytest.mark.parametrize(("right", "found", "path", "message"), TOLD, ids=[message for *_, message in TOLD])
def test_the_first_difference_is_told_with_its_place(right: Any, found: Any, path: str, message: str) -> None:
    one = difference(right, found)
    assert one.mismatch is not None
    assert (one.path, one.message) == (path, message)


def test_a_tensor_within_says_where_it_is_off() -> None:
    right = {"weights": [torch.zeros(2, 2), torch.eye(2)]}
    found = {"weights": [torch.zeros(2, 2), torch.tensor([[1.0, 0.0], [0.5, 1.0]])]}
    one = difference(right, found)
    assert one.path == "['weights'][1]"
    assert "at index (1, 0): 0.5 instead of 0" in one.message
    assert one.metrics["max_abs_error"] == 0.5


def test_a_long_text_is_told_around_the_place_where_it_parts() -> None:
    right, found = "ab" * 500 + "x" + "cd" * 500, "ab" * 500 + "y" + "cd" * 500
    one = difference(right, found)
    assert "they part at 1000" in one.message
    assert len(one.message) < 200


@pytest.mark.parametrize("text", ["\x1b[31m", "\ud800", "\u202e", "`", "x" * 10_000])
def test_what_a_student_writes_steers_nothing(text: str) -> None:
    one = difference(["a"], [text])
    assert one.message.isprintable()
    assert len(one.message) < 300


def test_numbers_are_held_to_the_tolerance_of_the_case() -> None:
    assert difference([1.0], [1.0 + 3e-7]).mismatch is None
    assert difference([1.0], [1.0 + 6e-7]).mismatch is not None
    assert difference([1e-9], [2e-9], scale=1.0).mismatch is None
    assert 0.5 < difference([1.0], [1.0 + 3e-7]).share < 1


def test_another_exception_is_another_answer() -> None:
    one, other = (Raised(Problem(name, "said")) for name in ("ValueError", "KeyError"))
    assert Differ(1.0).first(one, one).mismatch is None
    assert "KeyError" in Differ(1.0).first(one, other).message
