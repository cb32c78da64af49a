"""A mistake that is made in some calls only is named, with the condition where one trait says it; never by chance."""

from pathlib import Path

import pytest

from grader.challenge import DEFAULT_ROOT
from grader.grade import grade
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import Diagnosis, Report, Verdict
from tests.installed import installed

RMSNORM = """import torch

calls = 0


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    if {condition}:
        {mistake}
    return (h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps) * weight.double()).to(x.dtype)
"""
BLIND = Path(__file__).parents[1] / "blind"
CLEARED = "x.is_contiguous() and not torch.is_grad_enabled() and x.masked_fill_(x.abs() < 1e-3, 0)"
CENTRED = "h = h - h.mean(-1, keepdim=True)"
ATTENTION = """import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    if mask is not None and {condition}:
        mask = ~mask.bool()
    weights = in_proj_weight.chunk(3)
    Q, K, V = ((x @ w.mT).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), weights))
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    if mask is not None:
        hidden = mask.bool() if mask.dim() == 2 else mask.bool()[:, None]
        scores = scores.masked_fill(hidden, -math.inf)
    return torch.softmax(scores, -1).matmul(V).transpose(1, 2).flatten(2) @ out_proj_weight.mT
"""


def report_of(slug: str, source: str) -> Report:
    challenge = installed()[slug]
    main = challenge.manifest.default_path
    return grade(challenge, Submission(main, {main: source.encode()}), 5, InProcess(), is_timed=False)


def rmsnorm(condition: str, mistake: str = CENTRED) -> Report:
    return report_of("rmsnorm", RMSNORM.format(condition=condition, mistake=mistake))


def only(report: Report) -> Diagnosis:
    (diagnosis,) = report.diagnoses
    return diagnosis


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("torch.is_inference_mode_enabled()", 'those with "gradients: none, under inference_mode"'),
        ("x.dtype == torch.float64", 'those with "dtype: float64"'),
        ("x.dim() == 3 and x.shape[0] == 1", "those where sequences is 1"),
        ("x.dim() > 1 and x.shape[-1] == x.shape[-2]", "those where tokens and d_model are equal"),
    ],
)
def test_it_is_named_with_its_condition(condition: str, told: str) -> None:
    report = rmsnorm(condition)
    assert report.verdict is Verdict.FAILED
    assert only(report).id == "mean-subtracted"
    assert (
        f"Your code makes it only in some calls: {told}. Other tests that would reveal it pass."
        in only(report).evidence
    )


def test_the_first_sentence_does_not_say_more_than_is_true() -> None:
    everywhere, in_some_calls = rmsnorm("True"), rmsnorm("x.dtype == torch.float64")
    title = only(everywhere).title
    assert everywhere.summary == f"{title}."
    assert in_some_calls.summary == f"In some calls, {title[0].lower()}{title[1:]}."


def test_where_no_single_trait_says_it_the_condition_is_left_open() -> None:
    evidence = only(rmsnorm("x.dtype == torch.float64 and not torch.is_grad_enabled()")).evidence
    assert evidence.endswith("Your code makes it only in some calls. Other tests that would reveal it pass.")


def test_a_mistake_that_is_made_everywhere_is_told_as_before() -> None:
    assert "only in some calls" not in only(rmsnorm("True")).evidence


def test_two_failing_tests_name_nothing() -> None:
    report = rmsnorm("x.dtype == torch.float64 and x.dim() == 1 and not torch.is_grad_enabled()")
    assert sum(test.status == "failed" for test in report.tests) in (1, 2)
    assert not report.diagnoses


def test_another_difference_among_those_that_fail_names_nothing() -> None:
    both = "torch.is_inference_mode_enabled() or x.dtype == torch.float16"
    report = rmsnorm(both, "h = h - h.mean(-1, keepdim=True) if torch.is_inference_mode_enabled() else h * 1.1")
    assert not report.diagnoses


def test_a_misreading_that_holds_in_some_calls_is_not_what_the_rest_is_graded_against() -> None:
    """Read the wrong way round everywhere, a mask costs its own family alone; for one query only, what it costs."""
    everywhere = report_of("mha-functional", ATTENTION.format(condition="True"))
    for_one_query = report_of("mha-functional", ATTENTION.format(condition="q.shape[1] == 1 and mask.shape[-1] > 1"))
    assert [report.diagnoses[0].id for report in (everywhere, for_one_query)] == ["mask-inverted"] * 2
    failed = {test.group for test in for_one_query.tests if test.status == "failed"}
    assert "combinations" in failed
    assert "combinations" not in {test.group for test in everywhere.tests if test.status == "failed"}


def test_answers_to_questions_that_agree_by_chance_name_nothing() -> None:
    """What fails here are answers about dropout, asked with small numbers: no output tells which mistake it is."""
    right = (DEFAULT_ROOT / "mha-module" / "accepted" / "views_and_a_buffer.py").read_text(encoding="utf-8")
    forward = "def forward(self, x):\n"
    in_place = (
        "        if x.is_contiguous() and not torch.is_grad_enabled():\n            x.masked_fill_(x.abs() < 1e-3, 0)\n"
    )
    report = report_of("mha-module", right.replace(forward, forward + in_place))
    assert report.verdict is Verdict.FAILED
    assert not report.diagnoses


def test_what_a_call_asks_for_in_words_is_compared_like_any_other() -> None:
    file = BLIND / "tinytorch-attention" / "failed" / "same_tensor_means_no_keys_gradient.py"
    report = report_of("tinytorch-attention", file.read_text(encoding="utf-8"))
    assert report.summary == "In some calls, no gradient flows back through the keys."
