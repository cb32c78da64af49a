"""Positions pick tokens, and reach beyond the last one.
Says: IndexError
"""

import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    frequencies = theta ** -(torch.arange(0, d_k, 2, device=in_query_or_key.device) / d_k)
    angles = token_positions[..., None] * frequencies
    counted = torch.arange(in_query_or_key.shape[-2])[:, None] * frequencies
    cosines, sines = counted.cos(), counted.sin()
    even = in_query_or_key[..., token_positions.flatten(), 0::2]
    odd = in_query_or_key[..., token_positions.flatten(), 1::2]
    return torch.stack((even * cosines - odd * sines, even * sines + odd * cosines), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.bool(), float("-inf"))
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
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    *leading, seq, _ = in_features.shape
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)

    def heads(weight):
        return (in_features @ weight.T).unflatten(-1, (num_heads, -1)).transpose(-3, -2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)
    positions = token_positions.unsqueeze(-2)
    q = rope(d_model // num_heads, theta, max_seq_len, q, positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, positions)
    merged = scaled_dot_product_attention(q, k, v).transpose(-3, -2).reshape(*leading, seq, d_model)
    return merged @ o_proj_weight.T
