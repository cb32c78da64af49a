"""Random results: right answers pass as often as is said, and what is plainly wrong fails."""

import math
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
import torch

from grader.comparison.chance import ERROR_RATE, compare_sample, furthest, is_alike_sample
from grader.comparison.shown import alike_shown, compare_shown
from grader.guest.execution import Call, CallStatus, Gives, Outcome
from grader.guest.loading import Program
from grader.guest.values import Array, frozen
from grader.inprocess import fresh_module, outcomes_of
from grader.paper.case import Case
from grader.paper.distribution import Discrete, Distribution, Normal, Uniform
from grader.paper.mismatch import Mismatch
from grader.paper.script import Script

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
    assert not is_alike_sample(one, other.sort().values)
    assert is_alike_sample(one[:1], other[:1])


def batch(inputs: object, targets: object) -> Outcome:
    return Outcome("batch", CallStatus.RETURNED, values=(frozen((inputs, targets)),))


def difference(drawn_batch: tuple[torch.Tensor, torch.Tensor]) -> dict[str, torch.Tensor]:
    inputs, targets = drawn_batch
    return {"targets - inputs": targets - inputs}


PAIR = Case("pair", "pair", Call("", "sample", {}, gives=Gives.VALUES), what="batch", statistic=difference)
RIGHT = batch(torch.tensor([4, 9]), torch.tensor([7, 12]))


def test_a_statistic_is_compared_in_place_of_a_random_result() -> None:
    assert compare_shown(PAIR, RIGHT, batch(torch.tensor([1, 1]), torch.tensor([4, 4]))).mismatch is None
    wrong = compare_shown(PAIR, RIGHT, batch(torch.tensor([1, 1]), torch.tensor([4, 5])))
    assert wrong.mismatch is Mismatch.VALUES
    assert wrong.message == "Wrong batch, at `['targets - inputs'][1]`: got 4, expected 3."


@pytest.mark.parametrize(
    ("inputs", "targets", "mismatch"),
    [
        (torch.tensor([1]), torch.tensor([4]), Mismatch.SHAPE),
        (torch.tensor([1.0, 2.0]), torch.tensor([4, 5]), Mismatch.DTYPE),
        ([1, 1], torch.tensor([4, 4]), Mismatch.KIND),
        (None, None, Mismatch.KIND),
    ],
)
def test_a_statistic_is_asked_only_of_what_is_built_like_the_right_result(
    inputs: object, targets: object, mismatch: Mismatch
) -> None:
    assert compare_shown(PAIR, RIGHT, batch(inputs, targets)).mismatch is mismatch


def test_values_that_the_authors_statistic_does_not_bear_are_wrong_and_no_fault_of_ours() -> None:
    looked_up = replace(PAIR, statistic=lambda drawn_batch: torch.arange(10)[drawn_batch[0]])
    wrong = compare_shown(looked_up, RIGHT, batch(torch.tensor([1, 10**9]), torch.tensor([4, 4])))
    assert wrong.mismatch is Mismatch.VALUES
    assert wrong.message.endswith("with values that no right answer has.")


def test_a_mistake_is_recognised_by_its_statistic() -> None:
    two_ahead = batch(torch.tensor([1, 1]), torch.tensor([7, 7]))
    assert alike_shown(PAIR, batch(torch.tensor([4, 9]), torch.tensor([10, 15])), two_ahead)
    assert not alike_shown(PAIR, RIGHT, two_ahead)
    short = batch(torch.tensor([1]), torch.tensor([7]))
    assert not alike_shown(PAIR, short, two_ahead)
    listed = batch([1, 1], [7, 7])  # for which the author's function was not written
    assert alike_shown(PAIR, listed, listed)


def test_a_distribution_may_be_that_of_a_statistic() -> None:
    case = replace(PAIR, distribution=DICE, statistic=lambda drawn_batch: drawn_batch[0][:, 0])
    faces = [drawn(DICE, 3000, seed).reshape(-1, 1) for seed in (1, 2)]
    assert compare_shown(case, batch(faces[0], None), batch(faces[1], None)).mismatch is None
    assert compare_shown(case, batch(faces[0], None), batch(faces[1] - 1, None)).mismatch is Mismatch.DISTRIBUTION


def test_a_script_starts_its_generators_at_a_seed() -> None:
    program = Program(fresh_module("draw.py", b"import torch\ndef draw():\n    return torch.rand(3)\n"))
    script = Script("draw")
    script.call("draw", {})
    call = script.as_call(random_seed=5)
    first, again = (outcomes_of(program, [call])[0].values for _ in range(2))
    assert first is not None
    assert again is not None
    assert torch.equal(cast(torch.Tensor, first[0]), cast(torch.Tensor, again[0]))
