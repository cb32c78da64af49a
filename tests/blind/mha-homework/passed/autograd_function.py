"""A right answer of the seventh corpus."""
import torch
from torch import nn


class MaskedSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores):
        n = scores.shape[-1]
        later = torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1)
        z = scores.masked_fill(later, -float("inf"))
        z = (z - z.max(dim=-1, keepdim=True)[0]).exp()
        p = z / z.sum(dim=-1, keepdim=True)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        return p * (g - torch.linalg.vecdot(g, p, dim=-1).unsqueeze(-1))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        nn.Module.__init__(self)
        if d_out / num_heads != d_out // num_heads:
            raise ValueError("num_heads must divide d_out")
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.sizes = num_heads, d_out // num_heads

    def forward(self, x):
        h, d = self.sizes
        Q = self.W_query(x).unflatten(2, (h, d)).movedim(2, 1)
        K = self.W_key(x).unflatten(2, (h, d)).movedim(2, 1)
        V = self.W_value(x).unflatten(2, (h, d)).movedim(2, 1)
        P = self.dropout(MaskedSoftmax.apply(Q @ K.movedim(-1, -2) * d**-0.5))
        return self.out_proj((P @ V).movedim(1, 2).flatten(2, 3))
