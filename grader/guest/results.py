"""What a function returned, as tensors: to recognise its values elsewhere, and to alter them where they are."""

from contextlib import suppress
from functools import cached_property

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


class Values:
    """The numbers of one tensor, of which each is worked out once."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def are_those_of(self, other: "Values") -> bool:
        """In any shape and order. Sorting the scores of a long sequence takes long: it comes last."""
        try:
            if self._count != other._count or not self._count:
                return False
            if abs(self._largest - other._largest) > SAME * other._largest:
                return False
            is_in_order = roughly_equal(self._flat, other._flat, SAME)
            return is_in_order or roughly_equal(self._sorted, other._sorted, SAME)
        except RuntimeError:  # of a tensor that vmap made nothing is left once vmap is over
            return False

    @cached_property
    def _count(self) -> int:
        return self._tensor.numel() * (2 if self._tensor.is_complex() else 1)

    @cached_property
    def _flat(self) -> Tensor:
        plain = self._tensor.detach().resolve_conj()
        return (torch.view_as_real(plain) if plain.is_complex() else plain).flatten()

    @cached_property
    def _largest(self) -> float:
        return float(self._flat.abs().amax())

    @cached_property
    def _sorted(self) -> Tensor:
        return self._flat.double().sort().values


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


def alter_bits(tensor: Tensor) -> None:
    """The same for one tensor of any dtype: whole numbers may be the bits of others."""
    if not alter(tensor):
        tensor.bitwise_not_()


def _over_array(data: object) -> Tensor | None:
    """A torch tensor in the array's own memory."""
    if not isinstance(data, np.ndarray) or data.dtype.kind not in "fc":
        return None
    return torch.from_numpy(data) if data.flags.writeable and min(data.strides, default=0) >= 0 else None
