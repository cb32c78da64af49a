"""Scores are multiplied by (1 - mask): hidden keys get a score of zero, not minus infinity."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError
    n, lq, lk = q.size(0), q.size(1), k.size(1)
    w = in_proj_weight.unflatten(0, (3, d_model))
    heads = [(x @ w[i].T).view(n, -1, num_heads, d_model // num_heads).transpose(1, 2) for i, x in enumerate((q, k, v))]
    scores = heads[0] @ heads[1].transpose(-2, -1)
    scores = scores / heads[0].size(-1) ** 0.5
    if mask is not None:
        keep = 1 - mask.to(scores.dtype).expand(n, lq, lk)
        scores = scores * keep[:, None]
    p = scores.softmax(dim=-1)
    o = (p @ heads[2]).transpose(1, 2).reshape(n, lq, d_model)
    return o @ out_proj_weight.T
