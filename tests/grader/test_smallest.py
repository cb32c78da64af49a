"""The smallest case that fails comes back as a snippet that runs; the first function that is wrong is named."""

import sys
from dataclasses import replace
from types import ModuleType

import pytest
import torch

from grader.challenge import Challenge
from grader.exercise import Exercise, exercise_of
from grader.grade import grade
from grader.guest.submission import Submission
from grader.inprocess import InProcess, trusted_module
from grader.report import Guidance

MAIN = "cs336_basics/layers.py"


def guidance_of(challenge: Challenge, submission: Submission, seed: int = 3) -> Guidance:
    guidance = grade(challenge, submission, seed, InProcess()).guidance
    assert guidance is not None
    return guidance


def with_mistakes(exercise: Exercise, *names: str) -> Submission:
    return exercise.submission_with(*(mistake for mistake in exercise.misconceptions if mistake.name in names))


def run_snippet(snippet: str, source: bytes, monkeypatch: pytest.MonkeyPatch) -> torch.Tensor:
    monkeypatch.setitem(sys.modules, "cs336_basics", ModuleType("cs336_basics"))
    monkeypatch.setitem(sys.modules, "cs336_basics.layers", trusted_module(MAIN, source))
    names: dict[str, object] = {}
    exec(snippet, names)
    output = names["output"]
    assert isinstance(output, torch.Tensor)
    return output


def stated(snippet: str) -> torch.Tensor:
    """What the snippet says is right."""
    lines = snippet.partition("# Expected")[2].splitlines()[1:]
    return torch.tensor(eval("".join(line.removeprefix("#") for line in lines)))


@pytest.mark.parametrize("mistake", ["missing-scale", "rope-on-v", "residual-added", "weights-not-transposed"])
def test_the_snippet_is_right_for_the_reference_and_wrong_for_the_submission(
    mha_rope: Challenge, mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercise = exercise_of(mha_rope)
    wrong = with_mistakes(exercise, mistake)
    snippet = guidance_of(mha_rope, wrong).snippet
    assert snippet is not None
    right_output = run_snippet(snippet, exercise.reference_source, monkeypatch)
    torch.testing.assert_close(right_output, stated(snippet), atol=1e-4, rtol=1e-4)
    wrong_output = run_snippet(snippet, wrong.source, monkeypatch)
    assert (wrong_output - stated(snippet)).abs().max() > 1e-3


def test_the_snippet_does_not_depend_on_the_paper(mha_rope: Challenge) -> None:
    wrong = with_mistakes(exercise_of(mha_rope), "missing-scale")
    assert guidance_of(mha_rope, wrong, 3).snippet == guidance_of(mha_rope, wrong, 4).snippet


def test_every_example_can_be_answered_and_written(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    sizes = [
        sum(value.numel() for value in call.arguments.values() if isinstance(value, torch.Tensor))
        for call in exercise.examples()
    ]
    assert sizes[0] == min(sizes)
    assert max(sizes) < 400


def test_one_head_is_shown_where_one_head_goes_wrong_and_two_where_it_takes_two(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    one = guidance_of(mha_rope, with_mistakes(exercise, "residual-added")).snippet
    two = guidance_of(mha_rope, with_mistakes(exercise, "head-order")).snippet
    assert one is not None
    assert "num_heads = 1\n" in one
    assert two is not None
    assert "num_heads = 2\n" in two


def test_nothing_is_shown_where_no_example_fails(mha_rope: Challenge) -> None:
    only_long = (
        exercise_of(mha_rope).reference_source
        + b"""

def merge_heads(x):
    merged = x.transpose(-3, -2).flatten(-2)
    return merged if x.shape[-2] < 60 else merged + 1
"""
    )
    guidance = guidance_of(mha_rope, Submission(MAIN, {MAIN: only_long}))
    assert guidance.snippet is None
    assert "example" not in guidance.message


@pytest.mark.parametrize(
    ("mistake", "first_wrong", "words"),
    [
        ("residual-added", "multihead_self_attention_with_rope", "your `rope` is right on its own, and so is your"),
        ("theta-ignored", "rope", "Start with `rope`"),
        ("missing-scale", "scaled_dot_product_attention", "Your `rope` is right on its own"),
        ("mask-inverted", "scaled_dot_product_attention", "`multihead_self_attention_with_rope` is right"),
    ],
)
def test_the_first_function_that_is_wrong_is_named(
    mha_rope: Challenge, mistake: str, first_wrong: str, words: str
) -> None:
    guidance = guidance_of(mha_rope, with_mistakes(exercise_of(mha_rope), mistake))
    assert guidance.first_wrong == first_wrong
    assert words in guidance.message


def test_two_parts_that_are_wrong_are_both_named_and_neither_is_first(mha_rope: Challenge) -> None:
    guidance = guidance_of(mha_rope, with_mistakes(exercise_of(mha_rope), "theta-ignored", "missing-scale"))
    assert guidance.first_wrong is None
    assert "`rope` and `scaled_dot_product_attention` are each wrong" in guidance.message


def test_a_part_that_passes_its_own_tests_may_still_be_the_first_that_is_wrong(mha_rope: Challenge) -> None:
    source = exercise_of(mha_rope).reference_source.replace(
        b'"""Rotary position encoding of (..., seq, d_k) at positions (seq,) or broadcastable to (..., seq)."""',
        b"has_eight_heads = in_query_or_key.dim() == 4 and in_query_or_key.shape[-3] == 8\n"
        b"    in_query_or_key = in_query_or_key * 2 if has_eight_heads else in_query_or_key",
    )
    assert b"* 2" in source
    guidance = guidance_of(mha_rope, Submission(MAIN, {MAIN: source}))
    assert guidance.first_wrong == "rope"
    assert "passes its own tests" in guidance.message


def test_a_right_answer_and_an_unwritten_one_are_left_alone(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    for submission in (exercise.baseline(), exercise.starter()):
        assert grade(mha_rope, submission, 3, InProcess()).guidance is None


def test_what_remembers_is_not_said_to_be_right(mha_rope: Challenge) -> None:
    wrong = with_mistakes(exercise_of(mha_rope), "stale-cache")
    report = grade(mha_rope, wrong, 3, InProcess())
    assert "stale-cache" in {diagnosis.id for diagnosis in report.diagnoses}
    assert report.guidance is None or report.guidance.first_wrong is None


@pytest.mark.parametrize(
    ("sent_as", "named"),
    [
        ("layers.py", "from cs336_basics.layers import "),
        ("my_attention.py", "from my_attention import "),
        ("my attention (2).py", "from cs336_basics.layers import "),
        ("class.py", "from cs336_basics.layers import "),
    ],
)
def test_the_snippet_imports_the_file_as_it_was_sent(mha_rope: Challenge, sent_as: str, named: str) -> None:
    wrong = with_mistakes(exercise_of(mha_rope), "missing-scale")
    snippet = guidance_of(mha_rope, replace(wrong, sent_as=sent_as)).snippet
    assert snippet is not None
    assert named in snippet


def test_a_slip_of_a_name_needs_no_example(mha_rope: Challenge) -> None:
    source = exercise_of(mha_rope).reference_source.replace(b"torch.exp(", b"torch.expp(")
    report = grade(mha_rope, Submission(MAIN, {MAIN: source}, sent_as="mine.py"), 3, InProcess())
    assert report.breakdown is not None
    assert "expp" in report.summary
    assert report.guidance is None
    assert report.submission.filename == "mine.py"
