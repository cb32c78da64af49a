"""A difference between two texts is right, the smallest there is, and found in time that no lines drive up."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.line_diff import Stretch, stretches

LINES = st.lists(st.sampled_from(["", "x = 1", "return x", "    y", "z"]), max_size=20)


def applied(before: list[str], after: list[str], found: list[Stretch]) -> list[str]:
    """The second text, made of the first one's equal stretches and of what the changed ones put in their place."""
    return [line for each in found for line in (before[each.old] if each.is_equal else after[each.new])]


@given(LINES, LINES)
def test_applying_it_gives_the_other_text(before: list[str], after: list[str]) -> None:
    found = stretches(before, after)
    assert applied(before, after, found) == after
    assert [line for each in found for line in before[each.old]] == before
    assert all(one.is_equal != other.is_equal for one, other in pairwise(found))
    assert all(one.old.stop == other.old.start and one.new.stop == other.new.start for one, other in pairwise(found))


@given(LINES, LINES)
def test_no_other_one_keeps_more_lines(before: list[str], after: list[str]) -> None:
    kept = sum(each.old.stop - each.old.start for each in stretches(before, after) if each.is_equal)
    assert kept == longest_common(before, after)


def longest_common(before: list[str], after: list[str]) -> int:
    """By the table of the textbooks."""
    row = [0] * (len(after) + 1)
    for old in before:
        new_row = [0]
        for place, new in enumerate(after):
            new_row.append(row[place] + 1 if old == new else max(row[place + 1], new_row[place]))
        row = new_row
    return row[-1]


def test_a_line_that_is_added_is_all_that_differs() -> None:
    before = ["def f():", "    return 1", "", "def g():", "    return 1"]
    after = [*before[:3], "# here", *before[3:]]
    assert [each for each in stretches(before, after) if not each.is_equal] == [
        Stretch(slice(3, 3), slice(3, 4), is_equal=False)
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["a"] * 1500 + ["b"] * 1500, ["b"] * 1500 + ["a"] * 1500),
        (["a", "b"] * 1500, ["b", "c", "a"] * 1000),
        ([str(number) for number in range(3000)], [str(-number) for number in range(3000)]),
        (["a"] * 500_000, ["b", "a"] * 250_000),
    ],
    ids=["swapped", "woven", "all other", "a million lines"],
)
def test_lines_that_repeat_cost_no_more_than_others(before: list[str], after: list[str]) -> None:
    started = time.thread_time()
    found = stretches(before, after)
    assert time.thread_time() - started < 1  # 5 ms, but for the million lines
    assert applied(before, after, found) == after
