"""Roughly the same numbers: what counts, and what never raises."""

import pytest
import torch
from torch import Tensor

from grader.guest.closeness import roughly_equal

ONE, NAN, INFINITE = 1.0, float("nan"), float("inf")


def of(*values: float, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.tensor(values, dtype=dtype)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (of(100.09, 0.09), of(100.0, 0.0)),  # a share of the largest, wherever the difference is
        (of(ONE, dtype=torch.float64), of(ONE, dtype=torch.bfloat16)),
        (of(1, dtype=torch.int64), of(ONE)),
        (of(NAN, ONE), of(NAN, ONE)),
        (of(INFINITE, -INFINITE, ONE), of(INFINITE, -INFINITE, ONE)),
        (of(0.0), of(0.0)),
        (torch.zeros(2, 0), torch.zeros(2, 0)),
        (torch.tensor(ONE), torch.tensor(ONE)),
        (torch.tensor([1 + 2j]), torch.tensor([1 + 2j]).conj().conj()),
        (torch.tensor([1 - 2j]), torch.tensor([1 + 2j]).conj()),
        (of(ONE).requires_grad_(), of(ONE)),
    ],
)
def test_these_are_roughly_equal(found: Tensor, wanted: Tensor) -> None:
    assert roughly_equal(found, wanted)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (of(100.0, 0.2), of(100.0, 0.0)),
        (of(NAN, ONE), of(ONE, ONE)),
        (of(ONE, ONE), of(NAN, ONE)),
        (of(NAN, ONE), of(ONE, NAN)),
        (of(INFINITE), of(-INFINITE)),
        (of(INFINITE, ONE), of(INFINITE, 2.0)),  # an infinity leaves no room to the others
        (of(3.0e38), of(INFINITE)),
        (of(1e-12), of(0.0)),
        (of(ONE, ONE), of(ONE)),  # nothing is broadcast
        (torch.zeros(2, 0), torch.zeros(0, 2)),
        (torch.tensor([1 + 2j]), of(ONE)),
        (of(ONE), torch.tensor([1 + 0j])),
    ],
)
def test_these_are_not(found: Tensor, wanted: Tensor) -> None:
    assert not roughly_equal(found, wanted)


def test_how_much_may_differ_is_asked_for() -> None:
    assert not roughly_equal(of(1.0005), of(ONE), share=1e-4)
    assert roughly_equal(of(0.0005), of(0.0), least=1.0)
    assert not roughly_equal(of(0.002), of(0.0), least=1.0)
