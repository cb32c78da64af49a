"""Multi-head attention with named axes in einsum, softmax over axis 2.

Idea: The softmax runs over the queries instead of the keys.
Where: everywhere
Id: softmax-dim
"""

import torch

AXES = {"batch": 0, "head": 1, "query": 2, "key": 3}


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("cannot split the heads")
    W = in_proj_weight.reshape(3, num_heads, d_model // num_heads, d_model)
    Q = torch.einsum("nlm,hem->nhle", q, W[0])
    K = torch.einsum("nlm,hem->nhle", k, W[1])
    V = torch.einsum("nlm,hem->nhle", v, W[2])
    scores = torch.einsum("nhqe,nhke->nhqk", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        m = mask.bool().expand(scores.shape[0], scores.shape[2], scores.shape[3])
        scores = scores.masked_fill(m.unsqueeze(1), -1e9)
    weights = scores.softmax(AXES["query"])
    out = torch.einsum("nhqk,nhke->nqhe", weights, V).flatten(2)
    return out @ out_proj_weight.T
