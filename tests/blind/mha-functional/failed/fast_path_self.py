"""When q and k are the same tensor it takes v to be the same one too, and projects q instead of v."""
import math

import torch
import torch.nn.functional as F


def _project(q, k, v, w):
    E = q.size(-1)
    if q is k:
        return F.linear(q, w).chunk(3, dim=-1)
    w_q, w_k, w_v = w.chunk(3)
    return F.linear(q, w_q), F.linear(k, w_k), F.linear(v, w_v)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d = d_model // num_heads
    q, k, v = _project(q, k, v, in_proj_weight)
    q, k, v = (t.reshape(t.size(0), t.size(1), num_heads, d).transpose(1, 2) for t in (q, k, v))
    s = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        s = s.masked_fill(mask.bool().unsqueeze(-3), float("-inf"))
    o = s.softmax(-1) @ v
    return F.linear(o.transpose(1, 2).reshape(o.size(0), -1, d_model), out_proj_weight)
