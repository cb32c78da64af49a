""""eps or default": the zero that a caller passes is falsy, and is replaced by the default."""
# expect: eps zero replaced by default
from typing import Optional

import torch as jnp
from torch import Tensor as Array

_F32 = jnp.float32


def _canonicalize(x: Array) -> Array:
    return x if x.dtype == jnp.float64 else x.type(_F32)


def rmsnorm(x: Array, weight: Array, eps: float = 1e-5, axis: int = -1, epsilon: Optional[float] = None):
    # flax: reduction_axes, feature_axes = -1
    epsilon = epsilon or eps or 1e-5
    xf = _canonicalize(x)
    mean2 = jnp.mean(jnp.square(xf), dim=axis, keepdim=True)
    mul = jnp.rsqrt(mean2 + epsilon)
    y = (xf * mul).type(x.dtype)
    return y * weight
