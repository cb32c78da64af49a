"""A right answer of the seventh corpus."""
import torch
from torch import nn
from torch.func import vmap
from torch.nn.functional import dropout as drop


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.p = dropout
        self.shape = (num_heads, d_out // num_heads)
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_o = nn.Linear(d_out, d_out)

    def one(self, q, k, v, future):
        q, k, v = (t.reshape(-1, *self.shape).transpose(0, 1) for t in (q, k, v))
        scores = torch.baddbmm(torch.zeros((), dtype=q.dtype, device=q.device), q, k.transpose(1, 2), alpha=self.shape[1] ** -0.5)
        p = torch.softmax(scores.masked_fill(future, -torch.inf), -1)
        p = drop(p, self.p, self.training)
        return (p @ v).transpose(0, 1).flatten(1)

    def forward(self, x):
        t = x.shape[1]
        future = ~torch.ones(t, t, dtype=torch.bool, device=x.device).tril()
        z = vmap(self.one, in_dims=(0, 0, 0, None), randomness="different")(self.W_q(x), self.W_k(x), self.W_v(x), future)
        return self.W_o(z)
