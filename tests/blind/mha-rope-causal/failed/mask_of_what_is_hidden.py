"""Hands over the upper triangle.

Idea: The mask marks what must be hidden, although True means visible.
Where: everywhere (except with one token)
Id: mask-inverted
"""

import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1).to(torch.float64) * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


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
    later = torch.ones((seq, seq), device=x.device).triu(diagonal=1).bool()
    y = scaled_dot_product_attention(q, k, v, later | torch.eye(seq, dtype=torch.bool, device=x.device)).movedim(-3, -2).flatten(-2)
    return torch.matmul(y, o_proj_weight.t()).view_as(x)
