"""Wrong: the causal mask is built and not handed to the attention."""
from functools import partial

import torch
import torch as jnp
from torch.nn import functional as nn


def make_causal_mask(x):
    idxs = jnp.arange(x.shape[-2], device=x.device).expand(x.shape[:-1])
    return jnp.greater_equal(idxs.unsqueeze(-1), idxs.unsqueeze(-2)).unsqueeze(-3)


def rope(d_k, theta, max_seq_len, inputs, positions):
    fraction = 2 * jnp.arange(0, d_k // 2, device=inputs.device, dtype=jnp.float64) / d_k
    timescale = theta**fraction
    sinusoid_inp = positions[..., None] / timescale
    sin, cos = jnp.sin(sinusoid_inp).to(inputs.dtype), jnp.cos(sinusoid_inp).to(inputs.dtype)
    first, second = inputs[..., 0::2], inputs[..., 1::2]
    first_part = first * cos - second * sin
    second_part = second * cos + first * sin
    return jnp.stack([first_part, second_part], axis=-1).reshape(first_part.shape[:-1] + (d_k,))


def scaled_dot_product_attention(query, key, value, mask=None):
    depth = query.shape[-1]
    query = query / depth**0.5
    attn_weights = jnp.einsum("...qd,...kd->...qk", query, key)
    if mask is not None:
        big_neg = jnp.finfo(attn_weights.dtype).min
        attn_weights = jnp.where(mask, attn_weights, big_neg)
    return jnp.einsum("...qk,...kd->...qd", nn.softmax(attn_weights, dim=-1), value)


def multihead_self_attention_with_rope(features, num_heads, max_seq_len, theta, wq, wk, wv, wo, inputs, positions=None):
    if features % num_heads != 0:
        raise ValueError(f"Memory dimension ({features}) must be divisible by the number of heads ({num_heads}).")
    head_dim = features // num_heads
    dense = lambda w: jnp.einsum("...sf,hdf->...hsd", inputs, w.reshape(num_heads, head_dim, features))
    query, key, value = dense(wq), dense(wk), dense(wv)
    if positions is None:
        positions = jnp.arange(inputs.shape[-2], device=inputs.device)
    rotate = partial(rope, head_dim, theta, max_seq_len, positions=positions[..., None, :])
    x = scaled_dot_product_attention(rotate(query), rotate(key), value)
    return jnp.einsum("...hsd,fhd->...sf", x, wo.reshape(features, num_heads, head_dim))
