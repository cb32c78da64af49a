"""Softmax as autograd.Function.

Wrong: backward keeps only the diagonal
Condition: gradients
Spec: "gradients of `x` and of each layer"
"""
import torch
from torch import nn


class CausalSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores):
        t = scores.shape[-1]
        rows = torch.arange(t, device=scores.device)
        s = scores.clone()
        s[..., rows[None, :] > rows[:, None]] = float("-inf")
        s -= s.amax(-1, keepdim=True)
        w = s.exp_()
        w /= w.sum(-1, keepdim=True)
        ctx.save_for_backward(w)
        return w

    @staticmethod
    def backward(ctx, grad):
        (w,) = ctx.saved_tensors
        return w * (1 - w) * grad


causal_weights = CausalSoftmax.apply


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.n, self.hd = num_heads, d_out // num_heads
        self.scale = self.hd**-0.5
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).reshape(b, t, self.n, self.hd)
        k = self.W_key(x).reshape(b, t, self.n, self.hd)
        v = self.W_value(x).reshape(b, t, self.n, self.hd)
        s = torch.einsum("bihd,bjhd->bhij", q, k) * self.scale
        w = self.dropout(causal_weights(s))
        y = torch.einsum("bhij,bjhd->bihd", w, v)
        return self.out_proj(y.reshape(b, t, self.n * self.hd))
