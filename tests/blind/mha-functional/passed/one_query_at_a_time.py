"""Loops over the queries, all heads of a query at once, and stacks the results: little memory, no L_q x L_k tensor."""

import torch


def attend_one(query, keys, values, hidden):
    """(N, heads, d), (N, heads, L_k, d) twice, (N, 1, L_k) or None -> (N, heads, d)."""
    scores = (keys * query.unsqueeze(2)).sum(-1) / query.shape[-1] ** 0.5
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    return (scores.softmax(-1).unsqueeze(-1) * values).sum(2)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("the heads do not divide d_model")
    w_q, w_k, w_v = in_proj_weight[:d_model], in_proj_weight[d_model : 2 * d_model], in_proj_weight[2 * d_model :]
    keys = (k @ w_k.T).reshape(*k.shape[:2], num_heads, -1).transpose(1, 2)
    values = (v @ w_v.T).reshape(*v.shape[:2], num_heads, -1).transpose(1, 2)
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])
    rows = []
    for index, token in enumerate(q.unbind(1)):
        query = (token @ w_q.T).reshape(q.shape[0], num_heads, -1)
        hidden = None if mask is None else mask[:, index].unsqueeze(1)
        rows.append(attend_one(query, keys, values, hidden).flatten(1) @ out_proj_weight.T)
    return torch.stack(rows, dim=1)
