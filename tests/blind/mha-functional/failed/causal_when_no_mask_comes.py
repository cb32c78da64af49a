"""Builds a causal mask when none is given.

Idea: No mask means that everything may be seen; here it means a causal mask.
Where: only when no mask is given
Id: causal-mask
"""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    B, T, S = q.size(0), q.size(1), k.size(1)
    if mask is None:
        mask = torch.ones(T, S, dtype=torch.bool, device=q.device).triu(1)
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = (F.linear(x, w).view(B, -1, num_heads, d_model // num_heads).transpose(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    att = Q @ K.transpose(-2, -1) / (d_model // num_heads) ** 0.5
    att = att.masked_fill(mask.bool().expand(B, T, S).unsqueeze(1), float("-inf"))
    return F.linear((F.softmax(att, -1) @ V).transpose(1, 2).reshape(B, T, d_model), out_proj_weight)
