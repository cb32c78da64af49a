"""Puts the given weights into nn.Parameter inside layers: the numbers are right, but the caller's tensors get no gradient."""
# expect: weights detached by nn.Parameter
import math

import torch
from torch import nn


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = 1.0 / theta ** (torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    a, b = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, -1) @ V


def layer(weight):
    linear = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
    linear.weight = nn.Parameter(weight)
    return linear


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
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    q_proj, k_proj, v_proj, o_proj = map(layer, (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight))
    d, seq = d_model // num_heads, in_features.shape[-2]
    split = lambda t: t.unflatten(-1, (num_heads, d)).transpose(-3, -2)
    pos = torch.arange(seq) if token_positions is None else token_positions
    pos = pos.unsqueeze(-2)
    q = rope(d, theta, max_seq_len, split(q_proj(in_features)), pos)
    k = rope(d, theta, max_seq_len, split(k_proj(in_features)), pos)
    mask = torch.ones(seq, seq, dtype=torch.bool).tril()
    out = scaled_dot_product_attention(q, k, split(v_proj(in_features)), mask)
    return o_proj(out.transpose(-3, -2).flatten(-2))
