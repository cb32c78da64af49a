"""Rotates clockwise: the signs of the sines are swapped."""

import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    exponents = torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k
    inv_freq = 1.0 / (theta**exponents)
    angles = token_positions.to(torch.float32).unsqueeze(-1) * inv_freq
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    rotated = torch.stack((even * cos + odd * sin, odd * cos - even * sin), dim=-1)
    return rotated.flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
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
    if d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]

    def split(x):
        return x.reshape(*x.shape[:-1], num_heads, d_head).transpose(-3, -2)

    Q = split(in_features @ q_proj_weight.T)
    K = split(in_features @ k_proj_weight.T)
    V = split(in_features @ v_proj_weight.T)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, positions)
    K = rope(d_head, theta, max_seq_len, K, positions)
    mask = torch.tril(torch.ones(seq, seq, dtype=torch.bool, device=in_features.device))
    out = scaled_dot_product_attention(Q, K, V, mask)
    out = out.transpose(-3, -2).reshape(in_features.shape)
    return out @ o_proj_weight.T
