"""Right: angles in numpy, swap-and-sign rope, jaxtyping hints, attention computed as (keys, queries)."""

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

NEG_INF = float("-inf")


def rotary_angles(positions, dim, base):
    """Positions of any shape -> angles (*shape, dim // 2) as a numpy array."""
    p = positions.detach().cpu().numpy().astype(np.float64)
    return np.multiply.outer(p, np.power(np.float64(base), -np.arange(0, dim, 2) / dim))


def rope(
    d_k: int,
    theta: float,
    max_seq_len: int,
    in_query_or_key: Float[Tensor, " ... sequence_length d_k"],
    token_positions: Int[Tensor, " ... sequence_length"],
) -> Float[Tensor, " ... sequence_length d_k"]:
    angles = rotary_angles(token_positions, d_k, theta)
    like = dict(dtype=in_query_or_key.dtype, device=in_query_or_key.device)
    c = torch.tensor(np.repeat(np.cos(angles), 2, axis=-1), **like)
    s = torch.tensor(np.stack([-np.sin(angles), np.sin(angles)], -1).reshape(*angles.shape[:-1], d_k), **like)
    swapped = in_query_or_key.unflatten(-1, (d_k // 2, 2)).flip(-1).flatten(-2)
    return torch.addcmul(in_query_or_key * c, swapped, s)


def _stable_softmax(x: Tensor, axis: int) -> Tensor:
    shifted = x - torch.max(x, axis, keepdim=True)[0].detach()
    numerator = shifted.exp()
    return numerator / numerator.sum(axis, keepdim=True)


def scaled_dot_product_attention(
    Q: Float[Tensor, " ... queries d_k"],
    K: Float[Tensor, " ... keys d_k"],
    V: Float[Tensor, " ... keys d_v"],
    mask: Bool[Tensor, " ... queries keys"] | None = None,
) -> Float[Tensor, " ... queries d_v"]:
    # everything stands on its head here: (keys, queries), softmax over the second last axis
    sim = K @ Q.transpose(-1, -2) / Q.shape[-1] ** 0.5
    if mask is not None:
        sim = sim.masked_fill(torch.atleast_2d(mask).transpose(-1, -2).logical_not(), NEG_INF)
    attn = _stable_softmax(sim, -2)
    return (V.transpose(-1, -2) @ attn).transpose(-1, -2)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0
    head_dim = d_model // num_heads
    *batch, length, _ = in_features.shape

    def project(w):
        # (heads, head_dim, d_model) x (..., length, d_model) -> (..., heads, length, head_dim)
        return torch.tensordot(in_features, w.reshape(num_heads, head_dim, d_model), dims=([-1], [2])).movedim(-2, -3)

    query, key, value = project(q_proj_weight), project(k_proj_weight), project(v_proj_weight)
    where = torch.arange(length) if token_positions is None else token_positions
    where = where.broadcast_to(*batch, length) if batch else where.reshape(length)
    where = where[..., None, :]
    query = rope(head_dim, theta, max_seq_len, query, where)
    key = rope(head_dim, theta, max_seq_len, key, where)
    ctx = scaled_dot_product_attention(query, key, value)
    return ctx.movedim(-3, -2).reshape(*batch, length, d_model) @ o_proj_weight.T
