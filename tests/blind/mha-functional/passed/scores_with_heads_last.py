"""Scores are kept as (batch, query, key, head), so the softmax runs over axis 2."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads > 0:
        raise ValueError("d_model must be a multiple of num_heads")
    n, a, _ = q.shape
    b = k.shape[1]
    wq, wk, wv = in_proj_weight.chunk(3, dim=0)
    Q = torch.einsum("nad,ed->nae", q, wq).view(n, a, num_heads, -1)
    K = torch.einsum("nbd,ed->nbe", k, wk).view(n, b, num_heads, -1)
    V = torch.einsum("nbd,ed->nbe", v, wv).view(n, b, num_heads, -1)
    scores = torch.einsum("nahe,nbhe->nabh", Q, K) / (d_model // num_heads) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().unsqueeze(-1), float("-inf"))
    weights = torch.softmax(scores, dim=2)
    merged = torch.einsum("nabh,nbhe->nahe", weights, V).reshape(n, a, d_model)
    return torch.einsum("nae,de->nad", merged, out_proj_weight)
