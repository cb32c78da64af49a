"""The wrapper builds its heads with a dropout of zero, to "apply it once at the end", and forgets the end."""
# expect: wrapper drops the dropout
import torch
from torch import nn


def heaviside(n, device):
    """True where j > i, in the future of i."""
    t = torch.arange(n, device=device)
    return t[None, :] > t[:, None]


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        S = torch.einsum("bia,bja->bij", q, k) * q.shape[-1] ** -0.5
        P = S.masked_fill(heaviside(x.shape[1], x.device), -torch.inf).softmax(2)
        return torch.einsum("bij,bja->bia", self.dropout(P), v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, 0.0, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.H, self.a = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (W(x).unflatten(2, (self.H, self.a)) for W in (self.W_query, self.W_key, self.W_value))
        S = torch.einsum("biha,bjha->bhij", q, k) * self.a**-0.5
        P = S.masked_fill(heaviside(x.shape[1], x.device), -torch.inf).softmax(3)
        return self.out_proj(torch.einsum("bhij,bjha->biha", self.dropout(P), v).flatten(2))
