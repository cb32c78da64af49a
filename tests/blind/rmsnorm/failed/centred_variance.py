"""Wrong: var is the variance, so the mean is taken off inside the root although not from x."""
from functools import partial

import torch
import torch as jnp
import torch as lax

Array = torch.Tensor


def _normalize(x: Array, *, axis: int, epsilon: float) -> Array:
    var = jnp.var(x, axis, correction=0, keepdim=True)
    return x * lax.rsqrt(var + epsilon)


_normalize_last = partial(_normalize, axis=-1)


def rmsnorm(x: Array, scale: Array, epsilon: float = 1e-5) -> Array:
    dtype = x.dtype
    x = jnp.asarray(x).to(jnp.promote_types(jnp.float32, dtype))
    y = _normalize_last(x, epsilon=epsilon)
    return jnp.multiply(y, scale.to(y.dtype)).type(dtype)
