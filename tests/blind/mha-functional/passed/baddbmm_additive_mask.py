"""The mask becomes a bias of 0 and -inf, which torch.baddbmm adds to the scores."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    n, lq, lk, dh = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    bias = torch.zeros(n, num_heads, lq, lk, dtype=q.dtype, device=q.device)
    if mask is not None:
        seen = torch.broadcast_to(mask == 0, (n, lq, lk))
        bias = torch.where(seen.unsqueeze(1), bias, torch.full_like(bias, -torch.inf))
    q = torch.matmul(q, in_proj_weight[0 * d_model:1 * d_model].mT)
    k = torch.matmul(k, in_proj_weight[1 * d_model:2 * d_model].mT)
    v = torch.matmul(v, in_proj_weight[2 * d_model:3 * d_model].mT)
    q = q.reshape(n, lq, num_heads, dh).transpose(1, 2).reshape(-1, lq, dh)
    k = k.reshape(n, lk, num_heads, dh).transpose(1, 2).reshape(-1, lk, dh)
    v = v.reshape(n, lk, num_heads, dh).transpose(1, 2).reshape(-1, lk, dh)
    s = torch.baddbmm(bias.reshape(-1, lq, lk), q, k.mT, alpha=dh**-0.5)
    o = torch.bmm(torch.nn.functional.softmax(s, dim=-1), v)
    o = o.reshape(n, num_heads, lq, dh).transpose(1, 2).reshape(n, lq, d_model)
    return o @ out_proj_weight.mT
