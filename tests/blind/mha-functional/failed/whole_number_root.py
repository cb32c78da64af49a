"""Multi-head attention with math.isqrt for the scale.

Idea: The root of d_head is rounded down to a whole number.
Where: only when d_head is not a square number
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head, rest = divmod(d_model, num_heads)
    if rest != 0:
        raise ValueError("d_model has to be a multiple of num_heads")
    scale = math.isqrt(d_head)
    three = zip((q, k, v), in_proj_weight.unflatten(0, (3, d_model)).unbind(0))
    Q, K, V = (torch.matmul(x, w.T).unflatten(-1, (num_heads, d_head)).transpose(-2, -3) for x, w in three)
    scores = torch.matmul(Q, K.mT) / scale
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.size(0), q.size(1), k.size(1)).unsqueeze(1), -math.inf)
    out = torch.matmul(scores.softmax(-1), V).transpose(-2, -3).flatten(-2)
    return torch.matmul(out, out_proj_weight.T)
