"""The mask is multiplied by a very negative integer and added.

Idea: In int8 and uint8 the product wraps round to a harmless number, and the keys stay visible.
Where: only for masks of int8 or uint8
"""

import torch
import torch.nn.functional as F

VERY_NEGATIVE = -10**9


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads")
    batch, lq, lk = q.shape[0], q.shape[1], k.shape[1]
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = F.linear(q, wq).view(batch, lq, num_heads, -1).transpose(1, 2)
    K = F.linear(k, wk).view(batch, lk, num_heads, -1).transpose(1, 2)
    V = F.linear(v, wv).view(batch, lk, num_heads, -1).transpose(1, 2)
    logits = torch.matmul(Q, K.transpose(2, 3)) / (d_model // num_heads) ** 0.5
    if mask is not None:
        if mask.dtype == torch.float16:
            mask = mask.float()
        logits = logits + (mask * VERY_NEGATIVE).expand(batch, lq, lk).unsqueeze(1)
    y = torch.matmul(F.softmax(logits, dim=-1), V)
    return F.linear(y.transpose(1, 2).reshape(batch, lq, d_model), out_proj_weight)
