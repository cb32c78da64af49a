"""What an exception or a shape means, said of exceptions that torch, einops, NumPy and Python really raise."""

import io
import math
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from einops import einsum, rearrange
from torch.nn.attention.flex_attention import flex_attention

from grader.comparison.meanings import MEANINGS
from grader.comparison.problems import explain_exception
from grader.comparison.shapes import explain_shape
from grader.comparison.tolerance import compare_values
from grader.guest.execution import Call, Problem
from grader.guest.raised import problem_from

X = torch.zeros(2, 7, 24)
LEAF = torch.ones(3, 4, requires_grad=True)


def overwritten_before_backward() -> None:
    y = LEAF.exp()
    y[..., 0] = 0
    y.sum().backward()


def twice_backward() -> None:
    y = LEAF.exp().sum()
    y.backward()
    y.backward()


def unset_variable() -> None:
    if len(X) > 5:
        table = X
    print(table)


def endless() -> None:
    endless()


def takes_one(a: object) -> object:
    return a


def inner_dimensions() -> None:
    raise ValueError("Cannot perform matrix multiplication: (2, 3) @ (4, 5). Inner dimensions must match: 3 != 4.")


class Hasty(torch.nn.Module):
    def __init__(self) -> None:
        self.layer = torch.nn.Linear(2, 2)
        super().__init__()


def waiting_for_a_keyboard() -> None:
    kept, sys.stdin = sys.stdin, io.StringIO()
    try:
        input()
    finally:
        sys.stdin = kept


RAISED: dict[str, tuple[Callable[[], object], str]] = {
    "a gpu": (lambda: torch.zeros(1).cuda(), "There is no GPU here"),
    "a comma too many": (lambda: X.reshape(2, 7, (24,)), "a stray comma"),  # type: ignore[arg-type]
    "view": (lambda: X.transpose(0, 1).view(14, 24), "in that order in memory"),
    "matmul": (lambda: torch.zeros(6, 4) @ torch.zeros(3, 5), "on the left (4) as rows on the right (3)"),
    "batched matmul": (lambda: torch.zeros(2, 6, 4) @ torch.zeros(2, 3, 5), "on the left (4) as rows on the right (3)"),
    "batches differ": (lambda: torch.bmm(torch.zeros(2, 6, 4), torch.zeros(3, 4, 5)), "2 and 3 matrices"),
    "vector": (lambda: torch.zeros(2, 3) @ torch.zeros(4), "on the left (3) as rows on the right (4)"),
    "addition": (lambda: torch.zeros(2, 4) + torch.zeros(2, 3), "4 and 3 entries along axis 1"),
    "in place": (lambda: torch.zeros(3).add_(torch.zeros(2, 3)), "does not fit into the tensor of shape (3)"),
    "reshape": (lambda: X.reshape(2, 4, 7), "There are 336 numbers, and the shape (2, 4, 7) holds 56"),
    "reshape to -1": (lambda: X.reshape(2, 5, -1, 7), "does not hold that many"),
    "unflatten": (lambda: X.unflatten(-1, (5, -1)), "An axis of 24 entries cannot be divided into [5, -1]"),
    "float as size": (lambda: X.view(2, 7, 4, 24 / 4), "`/` gives a float"),
    "float in range": (lambda: range(24 / 4), "`/` gives a float"),
    "float in zeros": (lambda: torch.zeros(24 / 4), "`/` gives a float"),
    "expand": (lambda: torch.zeros(2, 3).expand(2, 4), "3 entries along axis 1 (from 0) cannot fill the 4"),
    "expand to fewer": (lambda: torch.zeros(2, 3, 4).expand(2, 4), "was given 2 sizes for a tensor of 3 axes"),
    "cat": (lambda: torch.cat([torch.zeros(2, 3), torch.zeros(2, 4)]), "along axis 0 must match"),
    "cat of other ranks": (lambda: torch.cat([torch.zeros(2, 3), torch.zeros(2)]), "do not have the same shape"),
    "permute": (lambda: X.permute(0, 2, 1, 3), "was given 4 axes, and the tensor has 3"),
    "axis": (lambda: X.transpose(1, 3), "There is no axis 3 here"),
    "too many indices": (lambda: X[0, 0, 0, 0], "only 3 axes"),
    "index": (lambda: torch.zeros(7, 3)[torch.tensor([9])], "Index 9 is beyond an axis with 7 entries"),
    "embedding": (lambda: torch.embedding(torch.zeros(3, 2), torch.tensor([9])), "beyond the end of a table"),
    "shape index": (lambda: X.shape[4], "count from the end"),
    "unpacking": (lambda: [a for a, b, c in [(1, 2)]], "index the last ones from the end"),
    "complex": (lambda: torch.view_as_complex(X), "exactly two entries"),
    "einops axes": (lambda: rearrange(X[0], "b s (h d) -> b h s d", h=4), "names 3 axes, and the tensor has 2"),
    "einops division": (lambda: rearrange(X, "b s (h d) -> b h s d", h=5), "24 is not a multiple of 5"),
    "einops one side": (lambda: rearrange(X, "b s (h d) -> b h s", h=4), "{'d'} is on only one side"),
    "einsum axes": (lambda: einsum(X, X, "b s d, k -> b s k"), "names 1 axes for a tensor that has 3"),
    "einsum sizes": (lambda: torch.einsum("bsd,bdk->bsk", X, X), "24 entries in one tensor and of 7 in another"),
    "float and double": (lambda: X @ X.double().mT, "float32 and a float64"),
    "linear of double": (lambda: torch.nn.functional.linear(X.double(), torch.zeros(4, 24)), "float32 and a float64"),
    "layer of double": (lambda: torch.nn.Linear(24, 4)(X.double()), "float32 and a float64"),
    "dot of long": (lambda: torch.arange(3) @ torch.zeros(3), "Integers and floating-point"),
    "polar": (lambda: torch.polar(torch.ones(3), torch.zeros(3).double()), "float32 and a float64"),
    "softmax of long": (lambda: torch.arange(3).softmax(-1), "These are integers"),
    "mean of long": (lambda: torch.arange(3).mean(), "These are integers"),
    "float index": (lambda: X[torch.tensor([0.5])], "An index must be an integer"),
    "float mask": (lambda: X.masked_fill(torch.zeros(2, 7, 24), 0), "The mask must be boolean"),
    "truth": (lambda: bool(X), "use `is None`"),
    "None": (lambda: None * X, "Something here is None"),
    "attribute of None": (lambda: None.shape, "Something here is None"),
    "None has no items": (lambda: dict.fromkeys("q")["q"][0], "Something here is None"),
    "None turned round": (lambda: ~None, "Something here is None"),
    "None as a condition": (lambda: torch.where(None, X, X), "Something here is None"),
    "einops of None": (lambda: rearrange(None, "b s -> s b"), "Something here is None"),
    "misspelt method": (lambda: X.tranpose(0, 1), "no `tranpose` on a Tensor"),
    "misspelt function": (lambda: torch.soft_max(X), "no `soft_max` in torch"),
    "method of a tuple": (lambda: X.chunk(3).transpose(0, 1), "This is a tuple, not a tensor"),
    "tuple in a product": (lambda: (X, X) @ X, "There is a tuple or list"),
    "number for a tensor": (lambda: torch.sqrt(24), "got a plain int"),
    "name": (lambda: maths.sqrt(2), "no `maths` at this point"),  # noqa: F821  that is the mistake
    "exit": (lambda: eval("exit()", {"__builtins__": {}}), "ends an interactive session"),
    "before super": (Hasty, "must be the first line of `__init__`"),
    "input": (waiting_for_a_keyboard, "nobody can here"),
    "file": (lambda: Path("rope.pt").read_bytes(), "There is no `rope.pt` here"),
    "unset": (unset_variable, "a branch that was not taken"),
    "missing argument": (takes_one, "`takes_one` was called without 'a'"),
    "too many arguments": (lambda: takes_one(1, 2), "more arguments than it has parameters"),
    "unexpected argument": (lambda: takes_one(1, mask=2), "no parameter called `mask`"),
    "called tensor": (lambda: X(3), "called like a function"),
    "tensor to number": (lambda: math.sqrt(X), "one number is expected"),
    "leaf": (lambda: LEAF.add_(1), "compute a new tensor"),
    "overwritten": (overwritten_before_backward, "has since been overwritten"),
    "backward twice": (twice_backward, "compute it again"),
    "numpy of a gradient": (LEAF.numpy, "lose the gradient"),
    "parameter": (lambda: setattr(torch.nn.Linear(2, 2), "weight", X), "holds a parameter"),
    "numpy broadcast": (lambda: np.zeros((2, 3)) + np.zeros(4), "shapes (2,3) and (4,)"),
    "numpy matmul": (lambda: np.zeros((2, 3)) @ np.zeros((4, 5)), "on the left (3) as rows on the right (4)"),
    "numpy dot": (lambda: np.dot(np.zeros((2, 3)), np.zeros((4, 5))), "on the left (3) as rows on the right (4)"),
    "numpy reshape": (lambda: np.zeros(6).reshape(4), "There are 6 numbers"),
    "numpy axes": (lambda: np.zeros((2, 3)).transpose(0, 2, 1), "fewer axes"),
    "inner dimensions": (inner_dimensions, "as many columns on the left as rows on the right"),
    "recursion": (endless, "keeps calling itself"),
    "no module": (lambda: __import__("tranformers"), "no module `tranformers`"),
    "no such name": (lambda: exec("from math import squareroot"), "`math` contains no `squareroot`"),
}


def problem_of(function: Callable[[], object]) -> Problem:
    with pytest.raises(Exception) as caught:  # noqa: PT011  each raises something else
        function()
    return problem_from(caught.value, None)


@pytest.mark.parametrize("name", RAISED)
def test_an_exception_is_told_in_a_plain_sentence(name: str) -> None:
    function, words = RAISED[name]
    sentence = explain_exception(problem_of(function))
    assert words in sentence
    assert sentence.endswith(".")


def test_every_entry_of_the_table_explains_something_that_is_really_raised() -> None:
    messages = [problem_of(function).message for function, _ in RAISED.values()]
    idle = [meaning.pattern.pattern for meaning in MEANINGS if not any(map(meaning.pattern.search, messages))]
    assert idle == []


def test_what_is_not_written_yet_is_told_apart_from_what_torch_has_not() -> None:
    def unwritten() -> None:
        raise NotImplementedError

    assert "not written yet" in explain_exception(problem_of(unwritten))
    assert "integers" in explain_exception(problem_of(lambda: torch.arange(3).softmax(-1)))
    three_axes = torch.ones(2, 3, 4)
    assert not explain_exception(problem_of(lambda: flex_attention(three_axes, three_axes, three_axes)))


def test_an_exception_of_another_kind_is_not_explained() -> None:
    def own() -> None:
        raise ValueError("the moon is full")

    assert explain_exception(problem_of(own)) == ""


def test_numbers_are_written_as_long_as_it_takes_to_tell_them_apart() -> None:
    right = torch.tensor([1.0, -1.85214], dtype=torch.float64)
    finding = compare_values(right, right + torch.tensor([0.0, 3e-4]), 1.0, "output")
    assert "-1.8518 instead of -1.8521" in finding.message


MHA = Call("", "mha", {"num_heads": 4, "x": torch.zeros(2, 7, 24)})
NAMED_OTHERWISE = Call("", "attention", {"n_heads": 4, "key": torch.zeros(2, 9, 24)})
ATTENTION = Call("", "attention", {"Q": torch.zeros(3, 5, 8), "K": torch.zeros(3, 6, 8), "V": torch.zeros(3, 6, 8)})
ROPE = Call("", "rope", {"x": torch.zeros(2, 3, 5, 6)})


@pytest.mark.parametrize(
    ("call", "right", "found", "words"),
    [
        (MHA, (2, 7, 24), (2, 4, 7, 6), "the heads have not been merged yet"),
        (MHA, (2, 7, 24), (2, 7, 4, 6), "not merged yet"),
        (MHA, (2, 7, 24), (2, 7, 6), "as wide as a single head"),
        (MHA, (2, 7, 24), (2, 4, 7, 7), "attention weights"),
        (MHA, (2, 7, 24), (2, 7, 7), "attention weights"),
        (MHA, (2, 7, 24), (2, 4, 7, 24), "not divided among the heads"),
        (MHA, (2, 7, 24), (8, 7, 6), "batch and heads are still one axis"),
        (MHA, (2, 7, 24), (2, 24, 7), "swapped"),
        (MHA, (2, 7, 24), (7, 2, 24), "Batch and sequence are swapped"),
        (MHA, (2, 7, 24), (7, 24), "first batch axis is missing"),
        (MHA, (7, 24), (1, 7, 24), "an extra axis of size 1 in front"),
        (MHA, (1, 7, 24), (7, 24), "size 1 is missing"),
        (MHA, (2, 7, 24), (2, 7, 72), "side by side"),
        (MHA, (2, 7, 24), (), "a single number"),
        (MHA, (2, 3, 7, 24), (6, 7, 24), "still merged"),
        (ATTENTION, (3, 5, 8), (3, 5, 6), "attention weights"),
        (NAMED_OTHERWISE, (2, 7, 24), (2, 4, 7, 6), "the heads have not been merged yet"),
        (NAMED_OTHERWISE, (2, 7, 24), (2, 4, 7, 9), "attention weights"),
        (ROPE, (2, 3, 5, 6), (2, 3, 5, 3, 2), "The pairs still have their own axis"),
        (ROPE, (2, 3, 5, 6), (2, 3, 5, 3), "Only half of the features"),
        (ROPE, (2, 3, 5, 6), (2, 3, 5, 12), "twice as many features"),
    ],
)
def test_a_wrong_shape_is_told_by_what_it_means(
    call: Call, right: tuple[int, ...], found: tuple[int, ...], words: str
) -> None:
    assert words in explain_shape(call, right, found)


@pytest.mark.parametrize(
    ("right", "found"),
    [
        ((4, 4, 24), (4, 4, 4, 6)),  # as many heads as tokens: apart, or behind the sequence?
        ((2, 7, 24), (2, 7, 25)),
        ((2, 7, 24), (5,)),
    ],
)
def test_nothing_is_said_of_a_shape_that_may_have_come_about_in_two_ways_or_none(
    right: tuple[int, ...], found: tuple[int, ...]
) -> None:
    assert explain_shape(MHA, right, found) == ""
