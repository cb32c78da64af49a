"""A right answer of the seventh corpus."""
import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    head_dim = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)

    B, T, _ = q.shape
    S = k.shape[1]
    q = F.linear(q, w_q).view(B, T, num_heads, head_dim).transpose(1, 2)
    k = F.linear(k, w_k).view(B, S, num_heads, head_dim).transpose(1, 2)
    v = F.linear(v, w_v).view(B, S, num_heads, head_dim).transpose(1, 2)

    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(head_dim))
    if mask is not None:
        mask = mask.bool()
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        att = att.masked_fill(mask, float("-inf"))
    att = F.softmax(att, dim=-1)
    y = att @ v
    y = y.transpose(1, 2).contiguous().view(B, T, d_model)
    return F.linear(y, out_proj_weight)
