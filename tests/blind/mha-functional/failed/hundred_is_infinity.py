"""Hidden scores become -100, which visible scores of -300 lie below."""
# expect: hidden scores not low enough
import torch as jnp
from torch import Tensor as Array


def _split_heads(x: Array, n: int) -> Array:
    b, t, d = x.shape
    return jnp.permute(jnp.reshape(x, (b, t, n, d // n)), (0, 2, 1, 3))


def _combine_heads(x: Array) -> Array:
    b, n, t, h = x.shape
    return jnp.reshape(jnp.permute(x, (0, 2, 1, 3)), (b, t, n * h))


def _softmax(logits: Array) -> Array:
    unnormalized = jnp.exp(logits - jnp.amax(logits, dim=-1, keepdim=True).detach())
    return unnormalized / jnp.sum(unnormalized, dim=-1, keepdim=True)


def multi_head_attention(
    q: Array, k: Array, v: Array, num_heads: int, d_model: int, mask=None, *, in_proj_weight: Array, out_proj_weight: Array
) -> Array:
    assert d_model % num_heads == 0
    w_q, w_k, w_v = jnp.tensor_split(in_proj_weight, 3, dim=0)
    query = _split_heads(jnp.matmul(q, w_q.T), num_heads)
    key = _split_heads(jnp.matmul(k, w_k.T), num_heads)
    value = _split_heads(jnp.matmul(v, w_v.T), num_heads)
    query = query / (d_model // num_heads) ** 0.5
    logits = jnp.matmul(query, key.mT)
    if mask is not None:
        allowed = jnp.logical_not(mask)
        if allowed.ndim == 3:
            allowed = allowed[:, None, :, :]
        logits = jnp.where(allowed, logits, jnp.full_like(logits, -100.0))
    weights = _softmax(logits)
    return jnp.matmul(_combine_heads(jnp.matmul(weights, value)), out_proj_weight.T)
