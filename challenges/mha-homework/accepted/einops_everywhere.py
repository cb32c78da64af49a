"""rearrange and einsum; an additive mask that is made in the call."""

import torch
from einops import einsum, rearrange
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"{d_out=} must be a multiple of {num_heads=}")
        self.num_heads = num_heads
        self.query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (
            rearrange(part, "b t (h d) -> b h t d", h=self.num_heads)
            for part in (self.query(x), self.key(x), self.value(x))
        )
        future = torch.full((x.size(1), x.size(1)), float("-inf"), dtype=x.dtype, device=x.device).triu(1)
        scores = einsum(q, k, "b h i d, b h j d -> b h i j") * q.size(-1) ** -0.5 + future
        weights = self.dropout(scores.softmax(dim=-1))
        return self.out(rearrange(einsum(weights, v, "b h i j, b h j d -> b h i d"), "b h t d -> b t (h d)"))
