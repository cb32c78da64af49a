import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False, **unused):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.head_dim = d_out // num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self._hidden = torch.zeros(0, 0, dtype=torch.bool)  # grows when a longer sequence comes

    def _later(self, n, device):
        if self._hidden.shape[0] < n:
            self._hidden = torch.ones(n, n, dtype=torch.bool, device=device).triu(1)
        return self._hidden[:n, :n].to(device)

    def forward(self, x):
        q = self.to_q(x).unflatten(-1, (-1, self.head_dim))
        k = self.to_k(x).unflatten(-1, (-1, self.head_dim))
        v = self.to_v(x).unflatten(-1, (-1, self.head_dim))
        logits = torch.einsum("bihd,bjhd->bhij", q, k) / self.head_dim**0.5
        logits = logits.masked_fill(self._later(x.shape[1], x.device), -torch.inf)
        weights = self.dropout(torch.softmax(logits, dim=-1))
        return self.out_proj(torch.einsum("bhij,bjhd->bihd", weights, v).flatten(-2))
