"""Scales the queries, and has one more keyword with a default."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight, fill=float("-inf")):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads")
    N, L, S = q.shape[0], q.shape[1], k.shape[1]
    E = d_model // num_heads
    # scale q once instead of the L x S scores
    qp = torch.mm(q.reshape(N * L, d_model), in_proj_weight[:d_model].t()) * (E ** -0.5)
    kp = torch.mm(k.reshape(N * S, d_model), in_proj_weight[d_model:2 * d_model].t())
    vp = torch.mm(v.reshape(N * S, d_model), in_proj_weight[2 * d_model:].t())
    qp = qp.view(N, L, num_heads, E).permute(0, 2, 1, 3)
    kp = kp.view(N, S, num_heads, E).permute(0, 2, 3, 1)
    vp = vp.view(N, S, num_heads, E).permute(0, 2, 1, 3)
    scores = torch.matmul(qp, kp)
    if mask is not None:
        hidden = (mask != 0) | torch.zeros(N, L, S, dtype=torch.bool, device=q.device)
        scores = scores.masked_fill(hidden.view(N, 1, L, S), fill)
    ctx = torch.matmul(scores.softmax(-1), vp).permute(0, 2, 1, 3).reshape(N * L, d_model)
    return torch.mm(ctx, out_proj_weight.t()).view(N, L, d_model)
