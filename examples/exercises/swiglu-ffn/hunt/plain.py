"""The SwiGLU feed-forward layer, step by step."""

import torch
from torch import Tensor


def projected(features: Tensor, weight: Tensor) -> Tensor:
    """Multiply every vector of the last axis by a weight: (..., inputs) -> (..., outputs)."""
    outputs, inputs = weight.shape
    rows = features.reshape(-1, inputs)
    result = torch.mm(rows, weight.mT)
    return result.reshape(*features.shape[:-1], outputs)


def sigmoid_linear(z: Tensor) -> Tensor:
    """The activation, number by number."""
    share = torch.sigmoid(z)
    return z * share


def combined(a: Tensor, b: Tensor) -> Tensor:
    """What comes of the two projections up."""
    active = sigmoid_linear(a)
    return active * b


def swiglu_ffn(x: Tensor, w1: Tensor, w2: Tensor, w3: Tensor) -> Tensor:
    """Projects the features up twice, combines both projections, and projects back down.

    x: (..., d_model), w1 and w3: (d_ff, d_model), w2: (d_model, d_ff).
    """
    a = projected(x, w1)
    b = projected(x, w3)
    features = combined(a, b)
    return projected(features, w2)
