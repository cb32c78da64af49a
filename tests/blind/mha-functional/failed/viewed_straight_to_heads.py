"""The projections are viewed as heads without a transpose.

Idea: The features are viewed straight as (heads, tokens), so each head gets pieces of the wrong tokens.
Where: everywhere (with more than one head and more than one token)
Id: reshape-before-transpose
"""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    bs, lq, lk = q.shape[0], q.shape[1], k.shape[1]
    q = F.linear(q, in_proj_weight[:d_model]).reshape(bs, num_heads, lq, d_model // num_heads)
    k = F.linear(k, in_proj_weight[d_model:d_model * 2]).reshape(bs, num_heads, lk, d_model // num_heads)
    v = F.linear(v, in_proj_weight[d_model * 2:]).reshape(bs, num_heads, lk, d_model // num_heads)
    scores = torch.einsum("bhid,bhjd->bhij", q, k) / (d_model // num_heads) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(bs, lq, lk)[:, None], float("-inf"))
    out = torch.einsum("bhij,bhjd->bihd", scores.softmax(-1), v)
    return F.linear(out.reshape(bs, lq, d_model), out_proj_weight)
