"""Computes in float64 whatever comes in, and returns the dtype of q."""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError
    dtype = q.dtype
    q, k, v = q.double(), k.double(), v.double()
    w_in, w_out = in_proj_weight.double(), out_proj_weight.double()
    d_head = d_model // num_heads

    q = (q @ w_in[:d_model].T).unflatten(-1, (num_heads, d_head)).permute(0, 2, 1, 3)
    k = (k @ w_in[d_model:2 * d_model].T).unflatten(-1, (num_heads, d_head)).permute(0, 2, 1, 3)
    v = (v @ w_in[2 * d_model:].T).unflatten(-1, (num_heads, d_head)).permute(0, 2, 1, 3)
    scores = q @ k.permute(0, 1, 3, 2) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.to(torch.bool)
        mask = mask.unsqueeze(-3) if mask.dim() == 3 else mask
        scores = scores.masked_fill(mask, -math.inf)
    out = scores.softmax(-1) @ v
    return (out.permute(0, 2, 1, 3).flatten(-2) @ w_out.T).to(dtype)
