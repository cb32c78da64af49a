"""The straightforward way: chunk the weight, F.linear, view, transpose, masked_fill."""

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} cannot be divided among {num_heads} heads")
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    Q = F.linear(q, w_q).view(N, L_q, num_heads, d_head).transpose(1, 2)
    K = F.linear(k, w_k).view(N, L_k, num_heads, d_head).transpose(1, 2)
    V = F.linear(v, w_v).view(N, L_k, num_heads, d_head).transpose(1, 2)

    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.bool()
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    context = (weights @ V).transpose(1, 2).reshape(N, L_q, d_model)
    return F.linear(context, out_proj_weight)
