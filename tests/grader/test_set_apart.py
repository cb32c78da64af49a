"""What the wrong calls have in common is told where no idea explains them, and only where it cannot be chance."""

from pathlib import Path

import pytest
import torch

from grader.challenge import Challenge
from grader.comparison.scored_case import ScoredCase
from grader.comparison.set_apart import set_apart
from grader.comparison.tolerance import Finding
from grader.grade import grade
from grader.guest.execution import Call, CallStatus, Outcome
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.paper.case import Case, Trait
from grader.paper.mismatch import Mismatch

RIGHT = (Path(__file__).parents[2] / "examples" / "correct.py").read_text()
PATH = "cs336_basics/layers.py"
RETURN = "return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T"
MHA = "multihead_self_attention_with_rope"
COMBINED = "Among the tests that combine everything, "


def summary(challenge: Challenge, condition: str) -> str:
    """Of an answer that is off where something holds, in a way that no idea explains."""
    assert RIGHT.count(RETURN) == 1
    source = RIGHT.replace(RETURN, f"{RETURN} * (1.3 if {condition} else 1)")
    return grade(challenge, Submission(PATH, {PATH: source.encode()}), 3, InProcess(), is_timed=False).summary


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("seq > 1", "all 87 where seq is more than 1 fail, and the 18 others pass."),
        ("seq > 1 and num_heads > 1", "all 51 where seq is more than 1 and heads is more than 1 fail, and the "),
        ("theta < 100", 'all 12 with "theta: near 1" fail, and the 93 others pass.'),
        ("in_features.dtype == torch.float64", 'only those with "dtype: float64" fail: '),  # but for what is all zero
        ("not torch.is_grad_enabled()", 'only those with "gradients: off in no_grad" or "off in inference_mode" fail'),
        ("batch", 'only those with "leading axes: (batch)", "(2, batch)" or "(batch, 1, 2)" fail: '),
    ],
)
def test_the_condition_of_a_mistake_without_a_name_is_told(mha_rope: Challenge, condition: str, told: str) -> None:
    said = summary(mha_rope, condition)
    assert said.startswith(f"Among the tests of `{MHA}` that combine everything, {told}")


def scored(*, is_right: bool, traits: tuple[Trait, ...], function: str = "f") -> ScoredCase:
    case, outcome = Case("", "", Call("", function, {}), traits=traits), Outcome("", CallStatus.RETURNED)
    return ScoredCase(case, outcome, outcome, Finding(None if is_right else Mismatch.VALUES))


def calls(wrong: int, right: int, *, of_wrong: str, of_right: str) -> list[ScoredCase]:
    return [
        scored(is_right=number >= wrong, traits=(("mask", of_wrong if number < wrong else of_right), ("n", "1")))
        for number in range(wrong + right)
    ]


def test_all_of_one_kind_and_no_others() -> None:
    items = calls(20, 30, of_wrong="hides some", of_right="none")
    assert set_apart(items) == f'{COMBINED}all 20 with "mask: hides some" fail, and the 30 others pass.'


def test_what_is_left_out_is_no_condition() -> None:
    items = [scored(is_right=False, traits=(("n", "1"),))] * 20
    assert set_apart([*items, *calls(0, 30, of_wrong="", of_right="none")]) == ""


def test_the_right_ones_where_they_are_the_smaller_part() -> None:
    items = [*calls(20, 10, of_wrong="some", of_right="none"), *calls(20, 0, of_wrong="all", of_right="none")]
    assert set_apart(items) == f'{COMBINED}only the 10 with "mask: none" pass.'


def test_some_of_one_kind_alone() -> None:
    items = [*calls(8, 4, of_wrong="some", of_right="some"), *calls(0, 30, of_wrong="", of_right="none")]
    assert set_apart(items) == f'{COMBINED}only those with "mask: some" fail: 8 of 12.'


def test_a_long_list_is_no_condition() -> None:
    wrong = [scored(is_right=False, traits=(("step", f"number {n % 4}"),)) for n in range(20)]
    right = [scored(is_right=True, traits=(("step", f"number {4 + n % 4}"),)) for n in range(20)]
    assert set_apart([*wrong, *right]) == ""


def test_a_few_are_alike_by_chance() -> None:
    assert set_apart([*calls(2, 1, of_wrong="some", of_right="some"), *calls(0, 9, of_wrong="", of_right="none")]) == ""


def test_what_all_calls_share_sets_none_apart() -> None:
    torch.manual_seed(0)
    mixed = [scored(is_right=bool(torch.rand(()) < 0.5), traits=(("n", "1"),)) for _ in range(40)]
    assert set_apart(mixed) == ""
