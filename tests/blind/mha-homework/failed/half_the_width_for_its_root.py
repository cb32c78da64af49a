"""Takes half of head_dim for its root.

Idea: The scale is head_dim // 2, which is the root only for a width of four.
Where: only when head_dim is other than 4
"""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        nn.Module.__init__(self)
        assert (d_out % num_heads) == 0, "d_out % num_heads"
        self.num_heads = num_heads
        self.head_dim = int(d_out // num_heads)
        self.W_query = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.W_key = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.W_value = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(in_features=d_out, out_features=d_out, bias=True)
        self.dropout = nn.Dropout(p=dropout)
        causal = torch.ones(context_length, context_length, dtype=torch.bool).tril(diagonal=0)
        self.register_buffer(name="causal", tensor=causal)

    def forward(self, x):
        bsz, seqlen, _ = x.size()
        xq, xk, xv = self.W_query(x), self.W_key(x), self.W_value(x)
        xq = xq.view(bsz, seqlen, self.num_heads, self.head_dim).transpose(1, 2).flatten(0, 1)
        xk = xk.view(bsz, seqlen, self.num_heads, self.head_dim).permute(0, 2, 3, 1).flatten(0, 1)
        xv = xv.view(bsz, seqlen, self.num_heads, self.head_dim).transpose(1, 2).flatten(0, 1)
        att = torch.bmm(xq, xk) / max(1, self.head_dim // 2)
        att = torch.where(self.causal[:seqlen, :seqlen], att, torch.tensor(-math.inf, dtype=att.dtype, device=att.device))
        att = self.dropout(att.softmax(-1))
        out = torch.bmm(att, xv).unflatten(0, (bsz, self.num_heads))
        out = out.transpose(1, 2).contiguous().view(bsz, seqlen, -1)
        return self.out_proj(out)
