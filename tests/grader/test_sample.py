"""Random results: right answers pass as often as is said, and what is plainly wrong fails."""

import math

import numpy as np
import pytest
import torch

from grader.comparison.chance import ERROR_RATE, compare_sample, furthest, is_alike_sample
from grader.guest.values import Array, frozen
from grader.paper.distribution import Discrete, Distribution, Normal, Uniform
from grader.paper.mismatch import Mismatch

DICE = Discrete({float(face): 1 / 6 for face in range(1, 7)})


def drawn(distribution: Distribution, count: int, seed: int) -> torch.Tensor:
    source = torch.Generator().manual_seed(seed)
    match distribution:
        case Normal():
            values = (
                torch.randn(4 * count, generator=source, dtype=torch.float64) * distribution.std + distribution.mean
            )
            return values[(values >= distribution.low) & (values <= distribution.high)][:count]
        case Uniform():
            share = torch.rand(count, generator=source, dtype=torch.float64)
            return distribution.low + (distribution.high - distribution.low) * share
        case Discrete():
            shares = torch.tensor([*distribution.probabilities.values()], dtype=torch.float64)
            places = torch.multinomial(shares, count, replacement=True, generator=source)
            return torch.tensor([*distribution.probabilities], dtype=torch.float64)[places]


ALL: list[Distribution] = [
    Normal(),
    Normal(3, 0.1),
    Normal(0, 1, -1, 2),
    Uniform(-2, 5),
    DICE,
    Discrete({0: 0.9, 1: 0.1}),
]


@pytest.mark.parametrize("distribution", ALL, ids=str)
def test_right_samples_pass_whatever_their_seed_and_size(distribution: Distribution) -> None:
    for seed in range(60):
        for count in (1, 2, 7, 100, 3000):
            values = drawn(distribution, count, seed)
            assert compare_sample(distribution, values, values).mismatch is None


def test_the_bound_is_met_as_seldom_as_is_said() -> None:
    """At an error rate that can be counted: no more than one in ten samples may be outside a bound of one in ten."""
    count, tries, outside = 200, 2000, 0
    bound = furthest(count, 0.1)
    for seed in range(tries):
        values = drawn(Uniform(), count, seed).sort().values
        steps = torch.arange(1, count + 1, dtype=torch.float64) / count
        distance = max((steps - values).max().item(), (values - steps + 1 / count).max().item())
        outside += distance > bound
    assert 0 < outside < 0.1 * tries
    assert math.isclose(2 * math.exp(-2 * count * furthest(count, ERROR_RATE) ** 2), ERROR_RATE)


@pytest.mark.parametrize(
    ("distribution", "values"),
    [
        (Normal(), drawn(Normal(0.2), 3000, 1)),
        (Normal(), drawn(Normal(0, 1.25), 3000, 1)),
        (Normal(), drawn(Uniform(-1.7, 1.7), 3000, 1)),
        (Normal(0, 1, -2, 2), drawn(Normal(0, 1.3), 3000, 1)),
        (Uniform(), drawn(Uniform(0, 0.9), 3000, 1)),
        (Uniform(), torch.linspace(0, 1, 3000).double()),
        (Normal(), drawn(Normal(), 1500, 1).repeat_interleave(2)),
        (DICE, drawn(Discrete({float(face): 0.2 for face in range(1, 6)}), 3000, 1)),
        (DICE, drawn(DICE, 1500, 1).repeat_interleave(2)),
        (DICE, drawn(DICE, 3000, 1) - 1),
    ],
)
def test_wrong_samples_fail(distribution: Distribution, values: torch.Tensor) -> None:
    one = compare_sample(distribution, values, values)
    assert one.mismatch is Mismatch.DISTRIBUTION
    assert "nan" not in one.message


def test_shape_kind_and_dtype_count_as_everywhere() -> None:
    right = drawn(Normal(), 10, 0)
    assert compare_sample(Normal(), right, right[:5]).mismatch is Mismatch.SHAPE
    assert compare_sample(Normal(), right, right.float()).mismatch is Mismatch.DTYPE
    assert compare_sample(Normal(), right, frozen(right.tolist())).mismatch is Mismatch.KIND
    assert compare_sample(Normal(), right, right * math.inf).mismatch is Mismatch.NOT_FINITE
    listed = frozen(right.tolist())
    assert compare_sample(Normal(), listed, listed).mismatch is None
    assert compare_sample(Normal(), listed, frozen(["a"] * 10)).mismatch is Mismatch.KIND
    assert compare_sample(Normal(), frozen(np.zeros(4)), Array(torch.zeros(4, dtype=torch.float64))).mismatch is None


def test_samples_of_one_distribution_are_alike_and_others_are_not() -> None:
    one, other = drawn(Normal(), 3000, 1), drawn(Normal(), 3000, 2)
    assert is_alike_sample(one, other)
    assert not is_alike_sample(one, drawn(Normal(1.0), 3000, 1))
