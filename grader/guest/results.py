"""What a function returned, as tensors: to recognise its values elsewhere, and to alter them where they are."""

from contextlib import suppress

import numpy as np
import torch
from torch import Tensor

from grader.guest.closeness import roughly_equal

# Relative: a helper may work in another dtype, or sum in another order, and still give the result.
SAME = 1e-4


def tensors_in(result: object) -> list[Tensor]:
    """The floating and complex tensors of what a function returned: itself, or those in a tuple or list. A tensor of an
    exercise's library holds an array in `data`; here it is a torch tensor in the same memory.
    """
    parts = result if isinstance(result, tuple | list) else [result]
    held = [part if isinstance(part, Tensor) else _over_array(getattr(part, "data", None)) for part in parts]
    return [tensor for tensor in held if tensor is not None and (tensor.is_floating_point() or tensor.is_complex())]


def have_same_values(first: Tensor, second: Tensor) -> bool:
    """The same values in any shape and order. Sorting the scores of a long sequence takes long: it comes last."""
    try:
        one, other = _values(first), _values(second)
        if one.shape != other.shape or not one.numel():
            return False
        largest = other.abs().amax().double()
        if (one.abs().amax().double() - largest).abs() > SAME * largest:
            return False
        return roughly_equal(one.double().sort().values, other.double().sort().values, SAME)
    except RuntimeError:  # of a tensor that vmap made nothing is left once vmap is over
        return False


def _values(tensor: Tensor) -> Tensor:
    plain = tensor.detach().resolve_conj()
    return (torch.view_as_real(plain) if plain.is_complex() else plain).flatten()


def alter(result: object) -> int:
    """Give other values to the tensors of a result, whoever holds them already; how many there were.

    No softmax, rotation or normalisation takes this back.
    """
    altered = 0
    for tensor in tensors_in(result):
        with suppress(RuntimeError):  # several of its elements share one place in memory
            tensor.detach().mul_(-1.7).add_(0.3)
            altered += 1
    return altered


def _over_array(data: object) -> Tensor | None:
    """A torch tensor in the array's own memory."""
    if not isinstance(data, np.ndarray) or data.dtype.kind not in "fc":
        return None
    return torch.from_numpy(data) if data.flags.writeable and min(data.strides, default=0) >= 0 else None
