"""The answer, in named steps: each function here is one that a mistake can replace. The judge runs it in float64."""

import torch
from torch import Tensor


def project(x: Tensor, weight: Tensor) -> Tensor:
    """(..., n), (m, n) -> (..., m)."""
    return x @ weight.mT


def silu(z: Tensor) -> Tensor:
    """z where z is large, and nearly nothing where it is far below zero."""
    return z * torch.sigmoid(z)


def gated(gate: Tensor, up: Tensor) -> Tensor:
    """Number by number: the gate says how much of each feature passes."""
    return silu(gate) * up


def hidden(x: Tensor, w1: Tensor, w3: Tensor) -> Tensor:
    """(..., d_model) -> (..., d_ff)."""
    return gated(project(x, w1), project(x, w3))


def down(features: Tensor, w2: Tensor) -> Tensor:
    """(..., d_ff) -> (..., d_model)."""
    return project(features, w2)


def swiglu_ffn(x: Tensor, w1: Tensor, w2: Tensor, w3: Tensor) -> Tensor:
    """(..., d_model) -> (..., d_model)."""
    return down(hidden(x, w1, w3), w2)
