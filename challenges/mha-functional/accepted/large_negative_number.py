"""The mask becomes floats, and -1e9 for each hidden key is added to the scores; the softmax is written out."""

import torch


def softmax(x):
    x = x - x.max(dim=-1, keepdim=True).values
    e = x.exp()
    return e / e.sum(dim=-1, keepdim=True)


def split(x, heads):
    n, length, width = x.shape
    return x.reshape(n, length, heads, width // heads).permute(0, 2, 1, 3)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    Q = split(q @ in_proj_weight[0:d_model].T, num_heads)
    K = split(k @ in_proj_weight[d_model : 2 * d_model].T, num_heads)
    V = split(v @ in_proj_weight[2 * d_model : 3 * d_model].T, num_heads)
    scores = Q @ K.permute(0, 1, 3, 2) / (d_model // num_heads) ** 0.5
    if mask is not None:
        penalty = mask.to(scores.dtype) * -1e9
        while penalty.dim() < 3:
            penalty = penalty.unsqueeze(0)
        scores = scores + penalty[:, None]
    return (softmax(scores) @ V).permute(0, 2, 1, 3).flatten(2) @ out_proj_weight.T
