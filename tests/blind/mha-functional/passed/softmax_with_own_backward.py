"""A softmax with a backward written by hand."""

import math

import torch


class RowSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        e = (x - x.amax(-1, keepdim=True)).exp()
        p = e / e.sum(-1, keepdim=True)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        return p * (g - (g * p).sum(-1, keepdim=True))


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    wq, wk, wv = torch.chunk(in_proj_weight, 3)

    def split(x, w):
        return (x @ w.T).unflatten(-1, (num_heads, d_model // num_heads)).transpose(1, 2)

    scores = split(q, wq) @ split(k, wk).mT / math.sqrt(d_model // num_heads)
    if mask is not None:
        hidden = torch.broadcast_to(mask.bool(), (q.size(0), q.size(1), k.size(1)))
        scores = scores.masked_fill(hidden[:, None], -math.inf)
    return (RowSoftmax.apply(scores) @ split(v, wv)).transpose(1, 2).flatten(2) @ out_proj_weight.T
