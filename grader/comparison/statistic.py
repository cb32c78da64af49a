"""What is known of a random result: a statistic of it, which the case's author writes and the judge computes. In the
sandbox, whatever is computed of a result is in the hands of who made it.
"""

from collections.abc import Callable
from typing import Any

import torch

from grader.comparison.difference import Differ, Difference
from grader.guest.values import Data, frozen, mapped, thawed

Statistic = Callable[[Any], Any]


def built_alike(right: Data, found: Data, dtypes: frozenset[torch.dtype] = frozenset()) -> Difference:
    """Compares kinds, lengths, keys, shapes and dtypes, whatever the numbers in tensors are."""
    return Differ(0.0, dtypes=dtypes, is_exact=True).first(*(mapped(each, torch.zeros_like) for each in (right, found)))


def statistic_of(statistic: Statistic, shown: Data) -> Data:
    """Computes the statistic of what the reference gave, which alone the case's author has to think of."""
    return frozen(statistic(thawed(shown, _no_object)))


def statistic_if_any(statistic: Statistic, shown: Data) -> Data:
    """Computes the statistic of what a submission gave. None where the author's function cannot take it, whatever that
    raises.
    """
    try:
        return statistic_of(statistic, shown)
    except Exception:  # noqa: BLE001  the edge to the author's code, which is given a wrong result
        return None


def _no_object(number: int) -> object:
    raise ValueError(f"there is no object {number} outside the sandbox")
