"""Heads folded into the batch, as the old library code did, with torch.bmm."""

import math

import torch


def _fold(x, num_heads):
    n, l, d = x.shape
    return x.reshape(n, l, num_heads, d // num_heads).permute(0, 2, 1, 3).reshape(n * num_heads, l, d // num_heads)


def _unfold(x, n):
    nh, l, dh = x.shape
    return x.reshape(n, nh // n, l, dh).permute(0, 2, 1, 3).reshape(n, l, (nh // n) * dh)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("embed dim must be divisible by number of heads")
    n, lq, lk = q.size(0), q.size(1), k.size(1)
    wq, wk, wv = torch.split(in_proj_weight, d_model, dim=0)
    qh, kh, vh = _fold(q @ wq.t(), num_heads), _fold(k @ wk.t(), num_heads), _fold(v @ wv.t(), num_heads)
    scores = torch.bmm(qh, kh.transpose(1, 2)) / math.sqrt(d_model // num_heads)
    if mask is not None:
        m = mask.to(torch.bool).expand(n, lq, lk).repeat_interleave(num_heads, dim=0)
        scores = scores.masked_fill(m, float("-inf"))
    return _unfold(torch.bmm(scores.softmax(dim=2), vh), n) @ out_proj_weight.t()
