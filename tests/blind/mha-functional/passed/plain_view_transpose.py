"""Multi-head attention in five plain steps, with view and transpose."""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    batch, len_q, _ = q.shape
    len_k = k.shape[1]

    # 1. project
    w_q = in_proj_weight[:d_model]
    w_k = in_proj_weight[d_model:2 * d_model]
    w_v = in_proj_weight[2 * d_model:]
    Q = q @ w_q.T
    K = k @ w_k.T
    V = v @ w_v.T

    # 2. split
    Q = Q.view(batch, len_q, num_heads, d_head).transpose(1, 2)
    K = K.view(batch, len_k, num_heads, d_head).transpose(1, 2)
    V = V.view(batch, len_k, num_heads, d_head).transpose(1, 2)

    # 3. attend
    scores = Q @ K.transpose(2, 3) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.bool()
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    out = weights @ V

    # 4. merge
    out = out.transpose(1, 2).contiguous().view(batch, len_q, d_model)
    return out @ out_proj_weight.T
