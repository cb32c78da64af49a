"""A module of the library whose attention is written in Python.
Rule: no-library-attention
"""

import torch
from torch.ao.nn.quantizable import MultiheadAttention as Base


import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    frequencies = theta ** (-torch.arange(0, d_k, 2, device=in_query_or_key.device) / d_k)
    angles = token_positions[..., None] * frequencies
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    lead = Q.shape[:-2]
    if mask is not None:
        mask = mask.expand(*lead, Q.shape[-2], K.shape[-2]).reshape(-1, Q.shape[-2], K.shape[-2])
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (Q, K, V))
    d, e = q.shape[-1], v.shape[-1]
    width = max(d, e)
    pad = lambda x: torch.nn.functional.pad(x, (0, width - x.shape[-1]))
    layer = Base(width, 1, bias=False, batch_first=True)
    eye = torch.eye(width, dtype=Q.dtype)
    layer = layer.to(Q.dtype)
    for linear, w in ((layer.linear_Q, eye * (width / d) ** 0.5), (layer.linear_K, eye), (layer.linear_V, eye), (layer.out_proj, eye)):
        linear.weight = torch.nn.Parameter(w, requires_grad=False); linear.bias = torch.nn.Parameter(torch.zeros(width, dtype=Q.dtype), requires_grad=False)
    layer.eval()
    out = layer(pad(q), pad(k), pad(v), need_weights=False, attn_mask=None if mask is None else ~mask)[0]
    return out[..., :e].reshape(*lead, Q.shape[-2], e)


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
    d_head = d_model // num_heads
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = token_positions[..., None, :] if token_positions.ndim > 1 else token_positions
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    q, k, v = ((in_features @ w.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for w in weights)
    q, k = (rope(d_head, theta, max_seq_len, x, positions) for x in (q, k))
    heads = scaled_dot_product_attention(q, k, v)
    return heads.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
