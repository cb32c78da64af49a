"""einx for the split, the products, the mask and the softmax."""

import einx
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads != 0")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = einx.id("b t (h e) -> b h t e", self.W_query(x), h=self.num_heads)
        k = einx.id("b t (h e) -> b h t e", self.W_key(x), h=self.num_heads)
        v = einx.id("b t (h e) -> b h t e", self.W_value(x), h=self.num_heads)
        scores = einx.dot("b h i e, b h j e -> b h i j", q, k) / q.shape[-1] ** 0.5
        t = torch.arange(x.shape[1], device=x.device)
        visible = einx.greater_equal("i, j -> i j", t, t)
        scores = scores.masked_fill(~visible, float("-inf"))
        weights = self.dropout(einx.softmax("b h i [j]", scores))
        return self.out_proj(einx.dot("b h i j, b h j e -> b i (h e)", weights, v))


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.scale = d_out**-0.5
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        scores = torch.einsum("bid,bjd->bij", self.q_proj(x) * self.scale, self.k_proj(x))
        index = torch.arange(x.size(-2), device=x.device)
        scores = scores.masked_fill(index[None, :] > index[:, None], float("-inf"))
        return torch.einsum("bij,bjd->bid", self.drop(scores.softmax(-1)), self.v_proj(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias))

    def forward(self, x):
        outputs = []
        for head in self.heads:
            outputs.append(head(x))
        return torch.cat(outputs, dim=2)
