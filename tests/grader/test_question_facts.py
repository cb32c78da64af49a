"""What the questions of mha-rope say is true: the facts that their texts rest on, computed."""

import math
import re
import statistics

import pytest
import torch

from grader.challenge import DEFAULT_ROOT
from grader.questions import QuestionBank, Variant

BANK = QuestionBank.load(DEFAULT_ROOT / "mha-rope" / "questions.toml")


def variant(question: str) -> Variant:
    return BANK.variant(question, "anna")


def numbers(question: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", variant(question).view.prompt)]


def test_score_memory_at_the_seeds_sizes_is_17_gb() -> None:
    variants = (BANK.variant("score-memory", student) for student in map(str, range(1000)))
    asked = next(v for v in variants if "32 sequences of 2048 tokens" in v.view.prompt and " 32 heads" in v.view.prompt)
    assert asked.right == pytest.approx(17.179869184)
    assert asked.mark("17.2 GB").status == asked.mark("16 GiB").status == "correct"
    assert asked.mark("8.6 GB").status == "incorrect"


def test_a_straight_reshape_gives_head_0_whole_tokens() -> None:
    seq, d_model, _, heads, d_head = numbers("reshape-without-transpose")[:5]
    tokens = torch.arange(seq).repeat_interleave(d_model).reshape(1, seq, d_model)
    head = tokens.reshape(1, heads, seq, d_head)[0, 0]
    assert head.unique().tolist() == list(range(seq // heads))
    right = next(o.text for o in variant("reshape-without-transpose").view.options if o.text.startswith("Only"))
    assert f"first {seq // heads} tokens, each cut into {heads} rows of {d_head}" in right


def test_the_same_score_comes_back_at_the_same_difference_only() -> None:
    from_ = numbers("same-score")[:2]
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 32, generator=generator, dtype=torch.complex128)
    frequencies = 10000 ** (-torch.arange(32, dtype=torch.float64) / 32)

    def score(m: int, n: int) -> float:
        return (
            (query * torch.exp(1j * m * frequencies) * (key * torch.exp(1j * n * frequencies)).conj()).sum().real.item()
        )

    asked = variant("same-score")
    same = [
        option.id
        for option in asked.view.options
        if math.isclose(score(*from_), score(*map(int, re.findall(r"\d+", option.text))), rel_tol=1e-9)
    ]
    assert same == [asked.right]


def test_scores_spread_as_the_root_of_a_heads_width() -> None:
    d_model, heads = numbers("spread-of-scores")[2:4]
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 20_000, d_model // heads, generator=generator)
    assert statistics.stdev((query * key).sum(-1).tolist()) == pytest.approx(
        variant("spread-of-scores").right, rel=0.03
    )


def test_the_angles_broadcast_against_the_queries_pairs() -> None:
    heads, d_head = numbers("shape-of-angles")[:2]
    queries, angles = torch.zeros(3, heads, 5, d_head), torch.zeros(3, 1, 5, d_head // 2)
    assert (queries[..., 0::2] * angles).shape == (3, heads, 5, d_head // 2)
    assert variant("shape-of-angles").right == f"(batch, 1, seq, {d_head // 2})"
