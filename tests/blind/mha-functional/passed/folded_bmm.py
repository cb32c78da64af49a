import math
import torch
import torch.nn.functional as F


def _fold(t, h):
    """(N, L, h*e) -> (N*h, L, e), the heads of a sequence next to each other"""
    n, length, d = t.shape
    return t.reshape(n, length, h, d // h).permute(0, 2, 1, 3).reshape(n * h, length, d // h)


def _bias(mask, n, lq, lk, h, dtype):
    hidden = torch.broadcast_to(mask.to(torch.bool), (n, lq, lk))
    bias = torch.zeros(n, lq, lk, dtype=dtype)
    bias = bias.masked_fill(hidden, -math.inf)
    return bias.repeat_interleave(h, dim=0)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight, scale=None):
    if d_model % num_heads:
        raise ValueError(f"{num_heads} heads do not divide {d_model}")
    ws = in_proj_weight.chunk(3)
    Q, K, V = (_fold(F.linear(x, w), num_heads) for x, w in zip((q, k, v), ws))
    scale = 1 / math.sqrt(d_model // num_heads) if scale is None else scale
    s = torch.bmm(Q * scale, K.mT)
    if mask is not None:
        s = s + _bias(mask, q.size(0), q.size(1), k.size(1), num_heads, s.dtype)
    y = torch.bmm(F.softmax(s, -1), V)
    y = y.reshape(q.size(0), num_heads, q.size(1), -1).permute(0, 2, 1, 3).flatten(2)
    return F.linear(y, out_proj_weight)
