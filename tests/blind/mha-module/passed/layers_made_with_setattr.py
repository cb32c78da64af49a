"""The layers are made in a loop over their names."""

import torch
from einops import einsum, rearrange
from torch import Tensor, nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = einsum(q, k, "b i d, b j d -> b i j") / q.shape[-1] ** 0.5
        i = torch.arange(x.shape[1], device=x.device)
        scores = scores.masked_fill(rearrange(i, "j -> 1 j") > rearrange(i, "i -> i 1"), -torch.inf)
        weights = self.dropout(scores.softmax(-1))
        return einsum(weights, v, "b i j, b j d -> b i d")


class MultiHeadAttentionWrapper(nn.Module):
    """Heads side by side, each d_out wide, no projection behind them."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        heads: list[nn.Module] = []
        for _ in range(num_heads):
            heads.append(
                CausalAttention(
                    d_in=d_in, d_out=d_out, context_length=context_length, dropout=dropout, qkv_bias=qkv_bias
                )
            )
        self.heads = nn.ModuleList(heads)

    def forward(self, x: Tensor) -> Tensor:
        results: list[Tensor] = [head(x) for head in self.heads]
        assert len({r.shape for r in results}) == 1, "all heads have the same shape"
        return torch.cat(results, dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.nh = num_heads
        self.hd = d_out // num_heads
        for letter in "qkv":
            setattr(self, f"W_{letter}", nn.Linear(d_in, d_out, bias=qkv_bias))
        self.W_o = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        q = self.W_q(x).reshape(B, T, self.nh, self.hd)
        k = self.W_k(x).reshape(B, T, self.nh, self.hd)
        v = self.W_v(x).reshape(B, T, self.nh, self.hd)
        # the letters do the transposes
        att = torch.einsum("bqhd,bkhd->bhqk", q, k) * self.hd ** -0.5
        att = att.masked_fill(torch.triu(torch.ones(T, T, device=x.device), 1) > 0, float("-inf"))
        att = self.drop(torch.softmax(att, dim=3))
        y = torch.einsum("bhqk,bkhd->bqhd", att, v)
        return self.W_o(y.reshape(B, T, self.nh * self.hd))
