"""Keeps the tables for each d_k and length.

Idea: The table of angles is cached without theta, so another theta gets the old angles.
Where: only from the second call on, with another theta and the same d_k and max_seq_len
Id: stale-cache
"""

import torch
from einops import einsum

_CACHE = {}


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    key = (d_k, max_seq_len, x.dtype, x.device)
    if key not in _CACHE:
        f = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k)
        angle = torch.arange(max_seq_len, dtype=torch.float64, device=x.device)[:, None] * f
        _CACHE[key] = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
    cos, sin = (t[token_positions.clone()] for t in _CACHE[key])
    u, w = x[..., 0::2], x[..., 1::2]
    return torch.stack([u * cos - w * sin, u * sin + w * cos], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = einsum(Q, K, "... q d, ... k d -> ... q k") / Q.shape[-1] ** 0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.full_like(logits, float("-inf")))
    attn = torch.exp(logits - torch.logsumexp(logits, dim=-1, keepdim=True))
    return attn @ V


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
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError("heads do not divide the model dimension")
    x = in_features
    seq = x.shape[-2]
    qkv = x @ torch.cat([q_proj_weight, k_proj_weight, v_proj_weight], dim=0).T
    qkv = qkv.unflatten(-1, (3, num_heads, d_head)).movedim(-3, 0).transpose(-3, -2)
    q, k, v = qkv.unbind(0)

    positions = torch.arange(seq, device=x.device) if token_positions is None else token_positions
    if positions.ndim != 1:
        positions = positions[..., None, :]
    q, k = (rope(d_head, theta, max_seq_len, t, positions) for t in (q, k))
    y = scaled_dot_product_attention(q, k, v).movedim(-3, -2).flatten(-2)
    return torch.matmul(y, o_proj_weight.t()).view_as(x)
