"""Mixes the tokens of v as they come.

Idea: The values are never projected: the last block of the input weight is not used.
Where: everywhere
"""

import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads")
    heads = (num_heads, d_model // num_heads)
    wq, wk, _ = in_proj_weight.split(d_model)
    Q = F.linear(q, wq).unflatten(-1, heads).transpose(1, 2)
    K = F.linear(k, wk).unflatten(-1, heads).transpose(1, 2)
    V = v.unflatten(-1, heads).transpose(1, 2)
    logits = Q @ K.mT / heads[1] ** 0.5
    if mask is not None:
        logits = logits.masked_fill(mask.ne(0).expand(len(q), q.shape[1], k.shape[1]).unsqueeze(1), float("-inf"))
    return F.linear((F.softmax(logits, dim=-1) @ V).transpose(1, 2).flatten(-2), out_proj_weight)
