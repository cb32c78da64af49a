"""Nothing but einsum: even the split into heads is done on the weights."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    wq, wk, wv = in_proj_weight.reshape(3, num_heads, d_head, d_model).unbind(0)
    wo = out_proj_weight.reshape(d_model, num_heads, d_head)
    queries = torch.einsum("nqd,hed->nhqe", q, wq)
    keys = torch.einsum("nkd,hed->nhke", k, wk)
    values = torch.einsum("nkd,hed->nhke", v, wv)
    scores = torch.einsum("nhqe,nhke->nhqk", queries, keys) * d_head**-0.5
    if mask is not None:
        hidden = mask.to(torch.bool).expand(q.shape[0], q.shape[1], k.shape[1])
        scores = torch.where(hidden[:, None], -torch.inf, scores)
    weights = scores.softmax(-1)
    return torch.einsum("nhqk,nhke,dhe->nqd", weights, values, wo)
