"""What a name rests on, and where a hint is given: nothing is said that was not compared."""

import pytest

from grader.comparison.alike import is_same_reason
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.execution import Problem
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import Report, TestStatus
from tests.installed import installed

HIDDEN = "scores = scores.masked_fill(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)"
LAYERS = (
    "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)\n        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)"
)
ORDER = "the order in which you create the layers matters"
OVERFLOW = "exp of a large score overflows"


def report_on(slug: str, accepted: str, *changes: tuple[str, str]) -> Report:
    """Of a right answer with these texts replaced."""
    challenge = installed()[slug]
    source = (challenge.folder / "accepted" / f"{accepted}.py").read_text()
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    main = challenge.manifest.default_path
    submission = Submission(main, {main: source.encode()}, challenge.support)
    return grade(challenge, submission, 5, InProcess(), is_timed=False, is_guided=False)


def failing(report: Report) -> dict[str, str]:
    return {test.id: test.message for test in report.tests if test.status in (TestStatus.FAILED, TestStatus.ERROR)}


def named(report: Report) -> dict[str, str]:
    return {diagnosis.id: diagnosis.evidence for diagnosis in report.diagnoses}


def test_nothing_but_nan_names_nothing_and_gets_no_hint_about_an_order() -> None:
    wrong = "scores = scores + self.mask[:num_tokens, :num_tokens] * -torch.inf"
    report = report_on("mha-homework", "step_by_step", (HIDDEN, wrong))
    messages = failing(report)
    assert "NaN" in messages["seeded/example"]
    assert not any(ORDER in message for message in messages.values())
    assert named(report) == {}


def test_dropout_of_what_is_to_be_kept_is_named_by_all_that_fails() -> None:
    """One test of several used to show it, and another name fitted that one by chance."""
    report = report_on("mha-homework", "step_by_step", ("nn.Dropout(dropout)", "nn.Dropout(1 - dropout)"))
    count = len(failing(report))
    assert count > 1
    (evidence,) = named(report).values()
    assert named(report).keys() == {"dropout-inverted"}
    assert f"on all {count} failing tests" in evidence


def test_where_most_calls_raise_the_evidence_counts_those_that_gave_values() -> None:
    report = report_on("tinytorch-attention", "step_by_step", ("Q.matmul(K.transpose(-2, -1))", "Q.matmul(K)"))
    raised = [test for test in report.tests if test.status is TestStatus.ERROR]
    (evidence,) = named(report).values()
    values = len(failing(report)) - len(raised)
    assert list(named(report)) == ["keys-not-transposed"]
    assert evidence.startswith(f"Code with this mistake gives the same results as yours on {values} of the")
    assert evidence.endswith(f"; on {len(raised)} more both fail without giving any values.")


def test_exceptions_alone_are_told_as_such_and_never_to_within_rounding() -> None:
    cut = ("Q.matmul(K.transpose(-2, -1))", "Q.matmul(K.transpose(2, 3))")
    report = report_on("tinytorch-attention", "step_by_step", cut)
    (evidence,) = named(report).values()
    assert list(named(report)) == ["fixed-rank-transpose"]
    assert "raises the same exception as yours" in evidence
    assert evidence.endswith("no values could be compared.")


def test_a_crash_for_a_missing_transpose_is_not_axes_counted_from_the_front() -> None:
    left_where_they_are = (".transpose(1, 2)\n        K", "\n        K")
    report = report_on("tinytorch-attention", "step_by_step", left_where_they_are)
    assert any(test.status is TestStatus.ERROR for test in report.tests)
    assert "fixed-rank-transpose" not in named(report)


PRODUCT = "cannot multiply matrices (2, 4, 6, 8) @ {}: the inner dimensions differ"
SUM = "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension 3"


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (PRODUCT.format("(2, 4, 6, 8)"), PRODUCT.format("(2, 4, 6, 8)"), True),
        (PRODUCT.format("(2, 4, 6, 8)"), PRODUCT.format("(2, 6, 4, 8)"), False),
        (SUM.format(6, 9), SUM.format(9, 6), True),
        (SUM.format(6, 9), SUM.format(9, 7), False),
        ("shape '[2, 3]' is invalid for input of size 8", "shape '[4, 4]' is invalid for input of size 9", True),
        ("shape '[2, 3]' is invalid for input of size 8", SUM.format(2, 3), False),
        ("not enough values to unpack (expected 3, got 2)", "there is no axis 3 in (2, 5)", True),
        ("my own words about 3", "my own words about 4", False),
    ],
)
def test_exceptions_are_the_same_where_why_and_where_they_are_raised_is(one: str, other: str, is_same: bool) -> None:
    first, second = (Problem("ValueError", said) for said in (one, other))
    assert is_same_reason(first, second) is is_same
    assert not is_same_reason(first, Problem("TypeError", one))


def test_an_order_is_hinted_at_where_all_else_is_right_and_nowhere_else() -> None:
    other = "\n        ".join(reversed(LAYERS.split("\n        ")))
    alone = failing(report_on("mha-homework", "step_by_step", (LAYERS, other)))
    assert set(alone) == {"seeded/example", "seeded/other"}
    assert all(ORDER in message for message in alone.values())
    wrong = failing(report_on("mha-homework", "step_by_step", (LAYERS, other), ("self.head_dim**0.5", "3.0")))
    assert "seeded/example" in wrong
    assert not any(ORDER in message for message in wrong.values())


SOFTMAX = "torch.softmax(scores, dim=-1)"
UNSTABLE = "(scores.exp() / scores.exp().sum(-1, keepdim=True))"
CLAMPED = "torch.softmax(scores.clamp(max=20), dim=-1)"


def test_overflow_is_hinted_at_where_something_is_not_finite() -> None:
    unstable = failing(report_on("mha-functional", "view_and_transpose", (SOFTMAX, UNSTABLE)))
    clamped = failing(report_on("mha-functional", "view_and_transpose", (SOFTMAX, CLAMPED)))
    assert any(OVERFLOW in message for message in unstable.values())
    assert clamped
    assert not any(OVERFLOW in message for message in clamped.values())


@pytest.mark.parametrize("larger", ["sum-not-mean", "eps-outside-root"])
def test_of_two_mistakes_the_one_that_fails_more_alone_is_told_first(larger: str) -> None:
    challenge = installed()["rmsnorm"]
    exercise = exercise_of(challenge)
    both = [one for one in exercise.misconceptions if one.name in (larger, "half-precision.float64-only")]
    report = grade(challenge, exercise.submission_with(*both), 3, InProcess(), is_timed=False, is_guided=False)
    assert [one.id for one in report.diagnoses] == [larger, "half-precision"]
