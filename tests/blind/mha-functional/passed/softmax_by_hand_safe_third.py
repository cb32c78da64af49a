"""Multi-head attention with the softmax written out: the greatest visible score is taken off first."""
import math

import torch


def _softmax(s):
    top = s.detach().amax(dim=-1, keepdim=True)
    e = torch.exp(s - top)
    return e / e.sum(dim=-1, keepdim=True)


def _project(x, w, heads):
    y = x @ w.t()
    n, length, d = y.shape
    return y.reshape(n, length, heads, d // heads).permute(0, 2, 1, 3)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise AssertionError("d_model % num_heads != 0")
    wq, wk, wv = torch.split(in_proj_weight, d_model, dim=0)
    qh = _project(q, wq, num_heads)
    kh = _project(k, wk, num_heads)
    vh = _project(v, wv, num_heads)
    s = qh @ kh.transpose(2, 3) / math.sqrt(d_model // num_heads)
    if mask is not None:
        hidden = mask.bool().expand(q.size(0), q.size(1), k.size(1))
        s = s.masked_fill(hidden[:, None], -math.inf)
    p = _softmax(s)
    z = (p @ vh).permute(0, 2, 1, 3).flatten(2)
    return z @ out_proj_weight.t()
