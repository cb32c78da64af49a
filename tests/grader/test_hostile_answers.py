"""Answers made to take long: marking the longest text that is taken costs next to nothing, whatever it holds."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.questions import AnswerFormatError, Kind
from grader.questions.printed import same_output
from tests.grader.example_bank import EXAMPLE

MOST_S = 0.1  # of processor time, some fifty times what it takes
VARIANTS = {variant.view.kind: variant for variant in EXAMPLE.variants("anna")}
LENGTHS = (25, 60, 100, 200, 300, 1000, 10_000)  # up to each kind's own limit
PIECES = st.sampled_from(
    [
        *"aB17.,_eE+-*/x%=^()[]{} \t!'\"#\u00d7\u2212\u0663",
        "//",
        "1.",
        "1e",
        "( ",
        "size(",
        "tensor([",
        "torch.Size(",
        ", dtype",
    ]
)
UNITS = st.lists(PIECES | st.characters(), min_size=1, max_size=6).map("".join)


def seconds(call: Callable[[], object]) -> float:
    """Of this thread on a processor, the least of three: others may have it meanwhile."""
    taken = []
    for _ in range(3):
        before = time.thread_time()
        with suppress(AnswerFormatError):
            call()
        taken.append(time.thread_time() - before)
        if taken[-1] < MOST_S:
            break
    return min(taken)


@settings(max_examples=300, deadline=None)
@given(before=UNITS | st.just(""), unit=UNITS, after=UNITS | st.just(""), length=st.sampled_from(LENGTHS))
def test_no_answer_takes_long_to_mark(before: str, unit: str, after: str, length: int) -> None:
    text = before + unit * (length // len(unit)) + after
    for answer in (text[:length], text[: length - len(after)] + after):
        for variant in VARIANTS.values():
            assert seconds(lambda given=answer, asked=variant: asked.mark(given)) < MOST_S, variant.view.kind


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        (Kind.SHAPE, "a" * 25 + "!"),
        (Kind.SHAPE, "a" * 29 + "!"),
        (Kind.SHAPE, "B" * 199 + "!"),
        (Kind.SHAPE, "(" * 99 + "B" + ")" * 99),
        (Kind.SHAPE, "-" * 199 + "B"),
        (Kind.SHAPE, "*".join("B" * 100)),
        (Kind.SHAPE, " " * 198 + ";"),
        (Kind.OUTPUT, "size(" + " " * 995),
        (Kind.OUTPUT, "tensor(" * 142),
        (Kind.OUTPUT, "1" * 999 + "a"),
        (Kind.NUMBER, " " * 99 + ";"),
        (Kind.NUMBER, "1" * 99 + ";"),
        (Kind.NUMBER, "1e" * 50),
        (Kind.NUMBER, "9**9**9**9"),
        (Kind.LINE, " =" * 150),
        (Kind.ORDER, ["a" * 10_000] * 64),
        (Kind.CHOICES, ["a" * 10_000] * 64),
        (Kind.CHOICES, "a " * 5000),
    ],
)
def test_these_take_no_longer(kind: Kind, answer: str | list[str]) -> None:
    assert seconds(lambda: VARIANTS[kind].mark(answer)) < MOST_S


@pytest.mark.parametrize("unit", ["1", "1.", "size(", "tensor([1", " ", ", ", ",   dtype", "((", "[]", "a1", "1e5"])
def test_output_twice_as_long_takes_about_twice_as_long(unit: str) -> None:
    """Beyond what is taken of a student, so that growth can be told from chance."""
    short, long = (unit * (size // len(unit)) for size in (20_000, 40_000))
    once, twice = (min(timed(text) for _ in range(3)) for text in (short, long))
    assert twice < 3.2 * once + 0.01


def timed(text: str) -> float:
    before = time.thread_time()
    same_output(text + "!", "[1, 2]")
    return time.thread_time() - before


def test_a_product_too_large_for_a_number_is_no_shape() -> None:
    with pytest.raises(AnswerFormatError):
        VARIANTS[Kind.SHAPE].mark("*".join("B" * 100))
