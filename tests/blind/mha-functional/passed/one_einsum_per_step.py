"""Reshapes the weights to (3, heads, d_head, d_model) and never splits or merges an activation; everything is einsum."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    w_q, w_k, w_v = in_proj_weight.reshape(3, num_heads, d_model // num_heads, d_model)
    w_o = out_proj_weight.reshape(d_model, num_heads, d_model // num_heads)
    scores = torch.einsum("nqi,hdi,nkj,hdj->nhqk", q, w_q, k, w_k) / (d_model // num_heads) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().unsqueeze(-3), float("-inf"))
    return torch.einsum("nhqk,nkj,hdj,ohd->nqo", scores.softmax(-1), v, w_v, w_o)
