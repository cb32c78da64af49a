"""forward returns the output and the attention weights as a tuple instead of the output alone."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError
        self.H = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal", torch.ones(context_length, context_length, dtype=torch.bool).tril())

    def forward(self, x):
        T = x.shape[1]
        Q, K, V = (torch.stack(f(x).chunk(self.H, -1), 1) for f in (self.W_query, self.W_key, self.W_value))
        S = Q @ K.mT / Q.shape[-1] ** 0.5
        A = torch.softmax(torch.where(self.causal[:T, :T], S, -torch.inf), dim=-1)
        out = torch.cat((self.dropout(A) @ V).unbind(1), -1)
        return self.out_proj(out), A
