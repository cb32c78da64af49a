"""The cache of cosines and sines is kept by width and length only, so another theta gets an old table."""

import functools
import math

import torch


TABLES = {}


def table(d_k, theta, length, device, dtype):
    if (d_k, length, device, dtype) not in TABLES:
        TABLES[d_k, length, device, dtype] = make_table(d_k, theta, length, device, dtype)
    return TABLES[d_k, length, device, dtype]


def make_table(d_k, theta, length, device, dtype):
    with torch.inference_mode(False):
        frequency = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
        angle = torch.outer(torch.arange(length, dtype=torch.float64), frequency)
        return angle.cos().to(device, dtype), angle.sin().to(device, dtype)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    cos, sin = table(d_k, theta, max_seq_len, in_query_or_key.device, in_query_or_key.dtype)
    cos, sin = cos[token_positions], sin[token_positions]
    first, second = in_query_or_key.unflatten(-1, (-1, 2)).unbind(-1)
    out = torch.empty_like(in_query_or_key)
    out[..., ::2] = first * cos - second * sin
    out[..., 1::2] = first * sin + second * cos
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q / math.sqrt(Q.shape[-1])) @ K.transpose(-1, -2)
    if mask is not None:
        scores.masked_fill_(~mask, -math.inf)
    return scores.softmax(-1) @ V


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
        raise ValueError("d_model % num_heads != 0")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq)
    Q, K, V = (
        torch.matmul(in_features, weight.t()).unflatten(-1, (num_heads, d_head)).transpose(-2, -3)
        for weight in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    Q = rope(d_head, theta, max_seq_len, Q, token_positions.unsqueeze(-2))
    K = rope(d_head, theta, max_seq_len, K, token_positions.unsqueeze(-2))
    return scaled_dot_product_attention(Q, K, V).transpose(-2, -3).flatten(-2) @ o_proj_weight.t()
