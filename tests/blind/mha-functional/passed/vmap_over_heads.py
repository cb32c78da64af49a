"""Writes attention for one head and maps it over all heads at once with torch.vmap."""

import torch


def one_head(q, k, v, bias):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5 + bias
    return torch.softmax(scores, -1) @ v


all_heads = torch.vmap(one_head, in_dims=(2, 2, 2, None), out_dims=2)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model is not a multiple of num_heads")
    shape = (num_heads, d_model // num_heads)
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    Q = (q @ w_q.T).unflatten(2, shape)
    K = (k @ w_k.T).unflatten(2, shape)
    V = (v @ w_v.T).unflatten(2, shape)
    bias = torch.zeros(1, 1, 1, dtype=q.dtype)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=q.dtype).masked_fill(mask.bool(), -torch.inf)
    return all_heads(Q, K, V, bias).flatten(2) @ out_proj_weight.T
