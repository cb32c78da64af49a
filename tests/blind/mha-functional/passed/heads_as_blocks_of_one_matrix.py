"""Stacks the queries of all heads into (N, heads * L_q, d_model) with everything but their own features zeroed: one plain attention without a head axis."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    d_head = d_model // num_heads
    w_q, w_k, w_v = torch.tensor_split(in_proj_weight, 3)
    n, l_q, _ = q.shape
    owner = torch.arange(d_model, device=q.device) // d_head
    own = (owner == torch.arange(num_heads, device=q.device)[:, None]).to(q.dtype)  # (heads, d_model)
    queries = ((q @ w_q.T)[:, None] * own[:, None]).reshape(n, num_heads * l_q, d_model)
    scores = queries @ (k @ w_k.T).transpose(1, 2) / d_head**0.5
    if mask is not None:
        hidden = mask.to(torch.bool).expand(n, l_q, k.shape[1])
        scores = scores.masked_fill(hidden.repeat(1, num_heads, 1), -torch.inf)
    values = (scores.softmax(-1) @ (v @ w_v.T)).reshape(n, num_heads, l_q, d_model)
    return (values * own[:, None]).sum(1) @ out_proj_weight.T
