"""An autograd.Function that keeps no weights: the backward pass computes them again from queries, keys and the log-sum-exp."""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class Attend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q: Tensor, k: Tensor, v: Tensor, hidden: Tensor | None) -> Tensor:
        scores = Attend.scores(q, k, hidden)
        norm = scores.logsumexp(-1, keepdim=True)
        out = (scores - norm).exp() @ v
        ctx.save_for_backward(q, k, v, norm, out, hidden)
        return out

    @staticmethod
    def scores(q, k, hidden):
        scores = q @ k.mT / q.shape[-1] ** 0.5
        return scores if hidden is None else scores.masked_fill(hidden, -torch.inf)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        q, k, v, norm, out, hidden = ctx.saved_tensors
        weights = (Attend.scores(q, k, hidden) - norm).exp()
        inner = weights * (grad @ v.mT - (grad * out).sum(-1, keepdim=True)) / q.shape[-1] ** 0.5
        return inner @ k, inner.mT @ q, weights.mT @ grad, None


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    hidden = None if mask is None else (mask != 0)[..., None, :, :]
    split = lambda t, w: (t @ w.T).reshape(t.shape[0], t.shape[1], num_heads, -1).transpose(1, 2)
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    out = Attend.apply(split(q, w_q), split(k, w_k), split(v, w_v), hidden)
    return out.transpose(1, 2).reshape(q.shape[0], q.shape[1], d_model) @ out_proj_weight.T
