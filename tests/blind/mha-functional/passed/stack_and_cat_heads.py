"""Heads are cut with split and stack, and glued with unbind and cat."""

import math

import torch


def to_heads(x, d_head):
    return torch.stack(x.split(d_head, dim=-1), dim=1)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model should be divisible by num_heads")
    d_head = d_model // num_heads
    wq, wk, wv = torch.split(in_proj_weight, [d_model, d_model, d_model])
    Q = to_heads(torch.matmul(q, wq.t()), d_head)
    K = to_heads(torch.matmul(k, wk.t()), d_head)
    V = to_heads(torch.matmul(v, wv.t()), d_head)
    scores = torch.matmul(Q, torch.transpose(K, -1, -2)) / math.sqrt(d_head)
    if mask is not None:
        m = mask.bool()
        if m.dim() > 2:
            m = torch.unsqueeze(m, 1)
        scores = torch.masked_fill(scores, m, -math.inf)
    out = torch.matmul(torch.softmax(scores, -1), V)
    out = torch.cat(out.unbind(dim=1), dim=-1)
    return torch.matmul(out, out_proj_weight.t())
