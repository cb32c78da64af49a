"""Never forms the values: attends over v itself and applies the value and output weights of each head afterwards."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    wq, wk, wv = in_proj_weight.reshape(3, num_heads, d_head, d_model)
    queries = torch.einsum("nqi,hei->nhqe", q, wq)
    towards_keys = torch.einsum("nhqe,hej->nhqj", queries, wk)
    scores = torch.einsum("nhqj,nkj->nhqk", towards_keys, k) / d_head**0.5
    if mask is not None:
        if mask.ndim == 2:
            mask = mask[None]
        scores = scores.masked_fill(mask[:, None].bool(), -torch.inf)
    averaged = torch.einsum("nhqk,nkj->nhqj", scores.softmax(-1), v)
    context = torch.einsum("nhqj,hej->nqhe", averaged, wv).flatten(2)
    return context @ out_proj_weight.T
