"""A right answer of the seventh corpus."""
import math

import torch
from torch import nn

VERBOSE = False


def say(*args):
    if VERBOSE:
        print(*args)


class CausalAttention(nn.Module):
    """One head."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super(CausalAttention, self).__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length

    def forward(self, x):
        assert x.dim() == 3, x.shape
        seq = x.shape[1]
        assert seq <= self.context_length
        Q = self.W_query(x)
        K = self.W_key(x)
        V = self.W_value(x)
        say("Q", Q.shape, "K", K.shape)
        rows, cols = torch.tril_indices(seq, seq, device=x.device)
        bias = torch.full((seq, seq), -math.inf, dtype=x.dtype, device=x.device)
        bias[rows, cols] = 0.0
        A = torch.softmax(torch.einsum("bqd,bkd->bqk", Q, K) / math.sqrt(K.shape[-1]) + bias, dim=2)
        return torch.einsum("bqk,bkd->bqd", self.dropout(A), V)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttentionWrapper, self).__init__()
        self.heads = nn.ModuleList()
        for i in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))
        say(len(self.heads), "heads")

    def forward(self, x):
        return torch.cat([self.heads[i](x) for i in range(len(self.heads))], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttention, self).__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.head_dim = int(d_out / num_heads)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, S, _ = x.shape
        Q = self.W_query(x).reshape(B, S, self.num_heads, self.head_dim)
        K = self.W_key(x).reshape(B, S, self.num_heads, self.head_dim)
        V = self.W_value(x).reshape(B, S, self.num_heads, self.head_dim)
        Q, K, V = Q.transpose(1, 2), K.transpose(1, 2), V.transpose(1, 2)
        assert Q.shape == (B, self.num_heads, S, self.head_dim)
        scores = torch.matmul(Q, K.transpose(2, 3)) / math.sqrt(self.head_dim)
        hidden = torch.ones(S, S, device=x.device).triu(diagonal=1) == 1
        scores = scores.masked_fill(hidden[None, None, :, :], -math.inf)
        A = self.dropout(torch.softmax(scores, dim=3))
        O = torch.matmul(A, V).transpose(1, 2).reshape(B, S, self.num_heads * self.head_dim)
        return self.out_proj(O)


def _test():
    torch.manual_seed(123)
    x = torch.rand(2, 6, 3)
    out = MultiHeadAttention(3, 2, 6, 0.0, 2)(x)
    assert out.shape == (2, 6, 2)
    torch.manual_seed(123)
    assert MultiHeadAttentionWrapper(3, 2, 6, 0.0, 2)(x).shape == (2, 6, 4)


if __name__ == "__main__":
    VERBOSE = True
    _test()
    print("all good")
