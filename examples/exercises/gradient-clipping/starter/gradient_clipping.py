"""Gradient clipping by the norm of all gradients together."""

from collections.abc import Iterable

import torch


def clip_gradients(parameters: Iterable[torch.Tensor], max_norm: float, eps: float = 1e-6) -> None:
    """Scale the gradients of all parameters in place, so that their norm is at most max_norm."""
    raise NotImplementedError
