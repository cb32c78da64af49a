"""Each head of the wrapper gets the result of the one before it wherever the sizes allow it."""

import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {d_out} features")
        self.num_heads = num_heads
        self.scale = (d_out // num_heads) ** -0.5
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (
            rearrange(layer(x), "b t (h d) -> b h t d", h=self.num_heads)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = torch.einsum("bhid,bhjd->bhij", q, k) * self.scale
        position = torch.arange(x.shape[1], device=x.device)
        later = rearrange(position, "j -> 1 j") > rearrange(position, "i -> i 1")
        weights = self.dropout(scores.masked_fill(later, float("-inf")).softmax(dim=-1))
        return self.out_proj(rearrange(weights @ v, "b h t d -> b t (h d)"))


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
            y = head(x)
            outputs.append(y)
            x = y if y.shape == x.shape else x
        return torch.cat(outputs, dim=2)
