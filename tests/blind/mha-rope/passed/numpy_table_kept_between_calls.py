"""The cosine table is numpy, kept between calls by lru_cache with every number it depends on in the key."""

from functools import lru_cache

import numpy as np
import torch


@lru_cache(maxsize=4)
def _table(d_k, theta, max_seq_len):
    freqs = np.power(float(theta), -np.arange(0, d_k, 2) / d_k)
    angles = np.arange(max_seq_len)[:, None] * freqs[None, :]
    return np.cos(angles), np.sin(angles)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    cos_np, sin_np = _table(d_k, theta, max_seq_len)
    index = token_positions.detach().cpu().numpy()
    cos = torch.as_tensor(cos_np[index], dtype=x.dtype, device=x.device)
    sin = torch.as_tensor(sin_np[index], dtype=x.dtype, device=x.device)
    pairs = x.reshape(*x.shape[:-1], d_k // 2, 2)
    x0, x1 = pairs[..., 0], pairs[..., 1]
    turned = torch.cat([(x0 * cos - x1 * sin)[..., None], (x0 * sin + x1 * cos)[..., None]], dim=-1)
    return turned.reshape(x.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-1, -2)) / np.sqrt(Q.shape[-1]).item()
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        bias = bias.masked_fill(~mask, -np.inf)
        scores = scores + bias
    return scores.log_softmax(dim=-1).exp().matmul(V)


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
        raise ValueError(f"d_model ({d_model}) % num_heads ({num_heads}) must be 0")
    d_head = d_model // num_heads
    shape = in_features.shape
    seq = shape[-2]

    if token_positions is None:
        token_positions = torch.arange(seq)
    if len(shape) == 2:
        token_positions = token_positions.reshape(seq)
    elif token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)

    split_shape = (*shape[:-1], num_heads, d_head)
    q = in_features.matmul(q_proj_weight.t()).reshape(split_shape).transpose(-3, -2)
    k = in_features.matmul(k_proj_weight.t()).reshape(split_shape).transpose(-3, -2)
    v = in_features.matmul(v_proj_weight.t()).reshape(split_shape).transpose(-3, -2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    y = scaled_dot_product_attention(q, k, v)
    y = y.transpose(-3, -2).reshape(shape)
    return y.matmul(o_proj_weight.t())
