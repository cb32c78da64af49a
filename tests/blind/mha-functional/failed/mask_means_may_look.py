"""The mask is read as in other libraries.

Idea: The mask is read the wrong way round: a 1 is taken as "may look".
Where: only when a mask is given
Id: mask-inverted
"""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
    B, T, _ = q.shape
    S = k.shape[1]
    wq, wk, wv = in_proj_weight.chunk(3, dim=0)
    q = F.linear(q, wq).view(B, T, num_heads, -1).transpose(1, 2)
    k = F.linear(k, wk).view(B, S, num_heads, -1).transpose(1, 2)
    v = F.linear(v, wv).view(B, S, num_heads, -1).transpose(1, 2)
    att = (q @ k.transpose(-2, -1)) * (1.0 / (k.size(-1) ** 0.5))
    if mask is not None:
        mask = mask.expand(B, T, S)
        att = att.masked_fill(mask.unsqueeze(1) == 0, -1e9)
    att = F.softmax(att, dim=-1)
    y = (att @ v).transpose(1, 2).contiguous().view(B, T, d_model)
    return F.linear(y, out_proj_weight)
