"""Whether two tensors hold roughly the same numbers: for values that are tested elsewhere, or only to be recognised.

Whether an answer is right to within rounding is another question, and `grader.comparison.compare` decides it.
"""

import math

import torch
from torch import Tensor


def roughly_equal(found: Tensor, wanted: Tensor, share: float = 1e-3, least: float = 0.0) -> bool:
    """Whether both have one shape and differ nowhere by more than `share` of the largest finite number of `wanted`, or
    of `least` where that is larger.

    The usual share is far more than rounding in float32, and far less than another result. NaN equals NaN and an
    infinity itself, in the same place; two empty tensors of one shape are equal. Dtypes may differ, but nothing complex
    equals anything real.
    """
    if found.shape != wanted.shape or found.is_complex() != wanted.is_complex():
        return False
    if _is_far_less(found, wanted, share):
        return True
    one, other = _numbers(found), _numbers(wanted)
    finite = other.abs().nan_to_num(nan=0.0, posinf=0.0)
    largest = max(least, finite.amax().item()) if finite.numel() else least
    return torch.allclose(one, other, rtol=0.0, atol=share * largest, equal_nan=True)


def _is_far_less(found: Tensor, wanted: Tensor, share: float) -> bool:
    """Whether all is finite and differs by far less than it may: true of most, and known without a copy in double."""
    if found.dtype != wanted.dtype or not found.dtype.is_floating_point or not found.numel():
        return False
    largest = wanted.detach().abs().amax().item()
    differs = (found.detach() - wanted.detach()).abs().amax().item()
    return math.isfinite(largest) and differs <= 0.5 * share * largest


def _numbers(tensor: Tensor) -> Tensor:
    plain = tensor.detach()
    return torch.view_as_real(plain.resolve_conj()).double() if plain.is_complex() else plain.double()
