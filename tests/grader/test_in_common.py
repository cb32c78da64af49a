"""Where all wrong results have the same thing wrong, and nobody knows why, the result begins with that."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.challenge import Challenge
from grader.comparison.in_common import first_told, in_common
from grader.comparison.scored_case import ScoredCase
from grader.comparison.tolerance import Finding
from grader.conclude import Result, conclude
from grader.grade import grade
from grader.guest.execution import Call, CallStatus, Ending, Execution, Outcome
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.paper.case import Case
from grader.paper.mismatch import Mismatch
from grader.report import TestResult, TestStatus, Visibility

RIGHT = (Path(__file__).parents[2] / "examples" / "correct.py").read_text()
PATH = "cs336_basics/layers.py"


def summary(challenge: Challenge, old: str, new: str) -> str:
    assert RIGHT.count(old) == 1, old
    source = RIGHT.replace(old, new)
    return grade(challenge, Submission(PATH, {PATH: source.encode()}), 3, InProcess(), is_timed=False).summary


def test_functions_that_give_nothing_but_nan_are_told_by_name(mha_rope: Challenge) -> None:
    said = summary(mha_rope, "torch.softmax(scores, dim=-1)", "torch.softmax(scores + 0 * float('inf'), dim=-1)")
    both = "`multihead_self_attention_with_rope` and `scaled_dot_product_attention`"
    assert said.startswith(f"Every result of {both} is NaN. NaN comes from ")


def test_a_single_number_among_the_results_is_enough_not_to_say_so(mha_rope: Challenge) -> None:
    said = summary(
        mha_rope,
        "torch.softmax(scores, dim=-1)",
        "torch.softmax(scores + (0 * float('inf') if scores.shape[-1] > 1 else 0), dim=-1)",
    )
    assert "is NaN." not in said


def test_one_shape_is_told_by_what_it_means(mha_rope: Challenge) -> None:
    merging = "heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T"
    said = summary(mha_rope, merging, "heads")
    of = "All wrong results of `multihead_self_attention_with_rope` have a wrong shape."
    meaning = "That is (..., heads, sequence, head width): the heads have not been merged yet."
    assert said.startswith(f"{of} {meaning}")


@pytest.mark.parametrize(
    ("ids", "is_told"),
    [
        (("contract/indivisible", "contract/more-heads-than-features"), True),
        (("contract/more-heads-than-features",), False),  # nobody is told of a rule that is kept
    ],
)
def test_a_rule_is_told_where_all_that_fails_is_about_it(
    mha_rope: Challenge, ids: Sequence[str], is_told: bool
) -> None:
    call, outcome = Call("", "f", {}), Outcome("", CallStatus.RETURNED)
    cases = [Case(id_, "", call, hint="Check it first.", family="contract") for id_ in ids]
    scored = [ScoredCase(case, outcome, outcome, Finding(Mismatch.VALUES)) for case in cases]
    rule = mha_rope.manifest.rules["divisibility-checked"].message
    assert in_common(mha_rope.manifest, scored) == (rule if is_told else "")
    about_another = Case("heads/1", "", call, hint="Another.", family="heads")
    other = ScoredCase(about_another, outcome, outcome, Finding(Mismatch.VALUES))
    assert in_common(mha_rope.manifest, [*scored, other]) == ""


@pytest.mark.parametrize(
    ("is_public", "first"), [(True, ' The first is "two axes". The axes are the caller\'s.'), (False, "")]
)
def test_the_test_to_begin_with_is_named_where_students_may_read_it(
    mha_rope: Challenge, is_public: bool, first: str
) -> None:
    visibility = Visibility.PUBLIC if is_public else Visibility.HIDDEN
    family = mha_rope.manifest.families["batch"].model_copy(update={"visibility": visibility})
    manifest = mha_rope.manifest.model_copy(update={"families": mha_rope.manifest.families | {"batch": family}})
    call, outcome = Call("", "f", {}), Outcome("", CallStatus.RETURNED)
    cases = [Case("", title, call, hint="The axes are the caller's.", family="batch") for title in ("one", "two axes")]
    scored = [
        ScoredCase(case, outcome, outcome, Finding(mismatch))
        for case, mismatch in zip(cases, (None, Mismatch.VALUES), strict=True)
    ]
    assert first_told(manifest, scored) == first.strip()


@pytest.mark.parametrize(
    ("messages", "visibility", "said"),
    [
        (("One axis is missing.",) * 2, Visibility.PUBLIC, "One axis is missing."),
        (("One axis is missing.",) * 2, Visibility.HIDDEN, "Not passed yet: 2 of 2 tests failed (batch dimensions)."),
        (("One axis is missing.", "Too wide."), Visibility.PUBLIC, "Not passed yet: 2 of 2 tests failed"),
    ],
)
def test_one_message_of_all_failed_tests_is_told_where_students_may_read_it(
    mha_rope: Challenge, messages: Sequence[str], visibility: Visibility, said: str
) -> None:
    tests = [
        TestResult(
            id=f"batch/{number}",
            group="batch",
            title="a batch of one",
            status=TestStatus.FAILED,
            score=0,
            max_score=1,
            visibility=visibility,
            message=message,
        )
        for number, message in enumerate(messages)
    ]
    execution = Execution(Ending.COMPLETED, outcomes=(Outcome("one", CallStatus.RETURNED),))
    brought = Result(execution, tuple(tests), (), None, (), None, "", "", None, (), is_right_when_timed=True)
    assert conclude(mha_rope.manifest, "layers.py", brought, None).summary.startswith(said)
