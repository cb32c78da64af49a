"""Reads like NumPy: concatenate, repeat, swapaxes, axis."""

import math

import torch as np


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    a = in_query_or_key
    w = np.asarray([math.pow(theta, -2.0 * (j // 2) / d_k) for j in range(d_k)], dtype=np.float64)
    t = np.mul(token_positions[..., None].double(), w)
    sign = np.asarray([-1.0, 1.0] * (d_k // 2), dtype=np.float64)
    swapped = np.flip(a.reshape(tuple(a.shape[:-1]) + (d_k // 2, 2)), [-1]).reshape(a.shape)
    return (a * np.cos(t) + swapped * sign * np.sin(t)).to(a.dtype)


def softmax(z, axis=-1):
    z = z - np.amax(z, axis, keepdims=True)
    e = np.exp(z)
    return e / np.sum(e, axis=axis, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    z = np.matmul(Q, np.swapaxes(K, -2, -1)) / math.sqrt(K.shape[-1])
    if mask is not None:
        z = np.where(mask, z, -math.inf)
    return np.matmul(softmax(z), V)


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
    shape = tuple(in_features.shape)
    split = shape[:-1] + (num_heads, d_model // num_heads)
    q, k, v = [
        np.swapaxes(np.reshape(np.matmul(in_features, np.swapaxes(w, 0, 1)), split), -3, -2)
        for w in [q_proj_weight, k_proj_weight, v_proj_weight]
    ]
    if token_positions is None:
        token_positions = np.arange(shape[-2])
    token_positions = token_positions[..., None, :]
    q = rope(split[-1], theta, max_seq_len, q, token_positions)
    k = rope(split[-1], theta, max_seq_len, k, token_positions)
    mask = np.arange(shape[-2])[:, None] >= np.arange(shape[-2])[None, :]
    y = scaled_dot_product_attention(q, k, v, mask)
    return np.matmul(np.reshape(np.swapaxes(y, -3, -2), shape), np.swapaxes(o_proj_weight, 0, 1))
