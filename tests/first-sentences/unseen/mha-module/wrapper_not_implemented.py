# Says: `MultiHeadAttentionWrapper.forward` still raises NotImplementedError, the other two classes are written: put the heads' results side by side there with `torch.cat`.
# Line: 39
# Names: MultiHeadAttentionWrapper, NotImplementedError
# Kind: crash
import torch
from torch import Tensor, nn


class CausalAttention(nn.Module):
    """One head, d_out wide, without an output projection: (batch, tokens, d_in) -> (batch, tokens, d_out)."""

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        n = x.shape[1]
        later = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(later, float("-inf"))
        return self.dropout(scores.softmax(dim=-1)) @ v


class MultiHeadAttentionWrapper(nn.Module):
    """num_heads of the above, side by side: (batch, tokens, d_in) -> (batch, tokens, num_heads * d_out)."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError


class MultiHeadAttention(nn.Module):
    """All heads at once, then an output projection: (batch, tokens, d_in) -> (batch, tokens, d_out)."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        n = x.shape[1]
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        later = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(later, float("-inf"))
        out = self.dropout(scores.softmax(dim=-1)) @ v
        return self.out_proj(out.transpose(1, 2).flatten(-2))
