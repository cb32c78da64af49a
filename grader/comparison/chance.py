"""Does a random result come from the right distribution? With bounds that hold for any number of values, no more than
one right answer in 10^9 fails: docs/values/random.md.

By Dvoretzky, Kiefer and Wolfowitz, with the constant of Massart (1990), the share of n independent values up to any
number is further than d from its probability, somewhere, with a probability of at most 2 exp(-2 n d^2).
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from grader.comparison.difference import Differ, Difference, is_same_kind, told
from grader.guest.values import Array, Data, Items
from grader.paper.distribution import Discrete, Distribution, Normal, Uniform
from grader.paper.mismatch import Mismatch

ERROR_RATE = 1e-9  # of a right answer, for one case, shared out among the tests that a sample is put to
UNLIKE_RATE = 1e-3  # of samples from one distribution: it costs a diagnosis, and no verdict
TESTS = 3  # at most: of the values, of the sums and of the differences of neighbours
MOST_PAIRS = 64  # of values that a discrete distribution gives one after the other, each of which is counted


def furthest(count: int, error_rate: float = ERROR_RATE / TESTS) -> float:
    """Returns how far the shares of so many independent values may be off."""
    return math.sqrt(math.log(2 / error_rate) / (2 * count))


def compare_sample(distribution: Distribution, right: Data, found: Data) -> Difference:
    """`right` is a sample of the reference's: its kind, its shape and its dtype count, and not its values."""
    if not is_same_kind(right, found):
        return Difference("", Mismatch.KIND, f"got {told(found)}, expected {told(right)}")
    ours, theirs = _numbers(right), _numbers(found)
    if ours is None:
        raise ValueError("a distribution is of a tensor, an array, or a list of numbers")
    if theirs is None:
        return Difference("", Mismatch.KIND, f"got {told(found)}, expected numbers alone")
    if (shape := _shape_of(found)) != (wanted := _shape_of(right)):
        return Difference("", Mismatch.SHAPE, f"got shape {shape}, expected {wanted}")
    if isinstance(found, Tensor) and isinstance(right, Tensor) and found.dtype != right.dtype:
        return Difference("", Mismatch.DTYPE, f"got dtype {found.dtype}, expected {right.dtype}")
    if not torch.isfinite(theirs).all():
        return Difference("", Mismatch.NOT_FINITE, "got NaN or infinite values")
    return Difference() if not theirs.numel() else _sampled(distribution, theirs)


def is_alike_sample(ours: Data, theirs: Data) -> bool:
    """Whether two samples may come from one distribution, neighbours too, or are the same."""
    if Differ(1.0).first(ours, theirs).mismatch is None:
        return True
    one, other = _numbers(ours), _numbers(theirs)
    if one is None or other is None or one.shape != other.shape or not one.numel():
        return False
    bound = 2 * furthest(len(one), UNLIKE_RATE)
    if _apart(one, other) > bound:
        return False
    return len(one) == 1 or _apart(one.diff()[::2], other.diff()[::2]) <= bound * math.sqrt(2)


def _apart(one: Tensor, other: Tensor) -> float:
    """How far the shares of the values up to any number are apart, at most."""
    both = torch.cat([one, other]).sort().values
    shares = [torch.searchsorted(sample.sort().values, both, right=True) / len(sample) for sample in (one, other)]
    return (shares[0] - shares[1]).abs().amax().item()


def _sampled(distribution: Distribution, values: Tensor) -> Difference:
    match distribution:
        case Discrete():
            return _discrete(distribution, values)
        case Normal() | Uniform():
            return _continuous(distribution, values)


def _continuous(distribution: Normal | Uniform, values: Tensor) -> Difference:
    below = distribution.below(values)
    if _distance(below) > furthest(len(below)):
        return _not_from(distribution, values)
    first, second = below[: len(below) // 2 * 2].reshape(-1, 2).T
    # Of two independent numbers between 0 and 1, sum and difference, less the whole part, are as good as drawn anew.
    mixed = ((first + second).frac(), (second - first + 1).frac())
    is_dependent = len(first) > 0 and any(_distance(each) > furthest(len(first)) for each in mixed)
    return _dependent() if is_dependent else Difference()


def _distance(below: Tensor) -> float:
    """How far shares of the values and probabilities are apart, at most: the distance of Kolmogorov and Smirnov."""
    ordered, count = below.sort().values, len(below)
    steps = torch.arange(count + 1, dtype=torch.float64) / count
    return max((steps[1:] - ordered).amax().item(), (ordered - steps[:-1]).amax().item())


def _discrete(distribution: Discrete, values: Tensor) -> Difference:
    options = torch.tensor(sorted(distribution.probabilities), dtype=torch.float64)
    probabilities = torch.tensor(
        [distribution.probabilities[option] for option in options.tolist()], dtype=torch.float64
    )
    places = torch.searchsorted(options, values).clamp(max=len(options) - 1)
    if not torch.equal(options[places], values):
        odd = values[options[places] != values][0].item()
        return Difference("", Mismatch.DISTRIBUTION, f"got the value {odd:g}, expected {distribution}")
    shares = torch.bincount(places, minlength=len(options)) / len(values)
    if (shares.cumsum(0) - probabilities.cumsum(0)).abs().amax().item() > furthest(len(values)):
        return _not_from(distribution, values)
    return _in_pairs(places, probabilities)


def _in_pairs(places: Tensor, probabilities: Tensor) -> Difference:
    """Each pair as often as if the second knew nothing of the first (Hoeffding's bound, for each pair its part)."""
    cells = len(probabilities) ** 2
    pairs = places[: len(places) // 2 * 2].reshape(-1, 2)
    if cells > MOST_PAIRS or not len(pairs):
        return Difference()
    shares = torch.bincount(pairs[:, 0] * len(probabilities) + pairs[:, 1], minlength=cells) / len(pairs)
    expected = (probabilities[:, None] * probabilities).flatten()
    bound = furthest(len(pairs), ERROR_RATE / TESTS / cells)
    return _dependent() if (shares - expected).abs().amax().item() > bound else Difference()


def _not_from(distribution: Distribution, values: Tensor) -> Difference:
    spread = values.std(correction=0).item()
    seen = f"{len(values)} values with mean {values.mean().item():.3g} and standard deviation {spread:.3g}"
    return Difference("", Mismatch.DISTRIBUTION, f"got {seen}, which do not come from {distribution}")


def _dependent() -> Difference:
    said = "each value seems to depend on the one before it; they should be independent"
    return Difference("", Mismatch.DISTRIBUTION, said)


def _shape_of(data: Data) -> tuple[int, ...]:
    match data:
        case Tensor():
            return tuple(data.shape)
        case Array(tensor):
            return tuple(tensor.shape)
        case Items(_, items):
            return (len(items),)
        case _:
            return ()


def _numbers(data: Data) -> Tensor | None:
    """All of them in a row, in float64; None where there is anything else."""
    match data:
        case Tensor():
            return data.double().flatten()
        case Array(tensor):
            return tensor.double().flatten()
        case Items(_, items):
            return _of_items(items)
        case _:
            return None


def _of_items(items: Sequence[Data]) -> Tensor | None:
    numbers = [float(item) for item in items if isinstance(item, int | float) and abs(item) < 1e300]
    return torch.tensor(numbers, dtype=torch.float64) if len(numbers) == len(items) else None
