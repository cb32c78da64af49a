"""Multi-head attention with bmm over folded heads, scale taken from the width of the model.

Idea: The scores are divided by the root of d_model and not of the width of one head.
Where: everywhere that there is more than one head
Id: scale-by-d-model
"""

import torch


def fold(x, h):
    n, length, d = x.shape
    return x.reshape(n, length, h, d // h).transpose(1, 2).flatten(0, 1)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    n, lq, lk = q.shape[0], q.shape[1], k.shape[1]
    a, b, c = in_proj_weight.split(d_model)
    Q, K, V = fold(q @ a.T, num_heads), fold(k @ b.T, num_heads), fold(v @ c.T, num_heads)
    s = torch.bmm(Q, K.transpose(1, 2)) / d_model**0.5
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(n, lq, lk).repeat_interleave(num_heads, 0), -torch.inf)
    y = torch.bmm(s.softmax(-1), V)
    y = y.unflatten(0, (n, num_heads)).transpose(1, 2).flatten(2)
    return y @ out_proj_weight.T
