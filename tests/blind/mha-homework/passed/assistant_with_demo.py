"""Right: pasted from a chat assistant, with numbered steps and a main() that checks the book's example."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    """Causal multi-head attention as in GPT-2.

    Args:
        d_in: Input feature size.
        d_out: Output feature size.
        context_length: Maximum sequence length.
        dropout: Dropout probability on the attention weights.
        num_heads: Number of heads.
        qkv_bias: Whether to use biases in Q/K/V.
    """

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"d_out ({d_out}) must be divisible by num_heads ({num_heads})")

        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.scale = 1.0 / math.sqrt(self.head_dim)
        self.p = dropout

        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

        mask = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
        self.register_buffer("mask", mask.view(1, 1, context_length, context_length))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, tokens, _ = x.size()

        # 1. Project
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)

        # 2. Split into heads
        q = q.reshape(batch, tokens, self.num_heads, self.head_dim).transpose(1, 2)
        k = k.reshape(batch, tokens, self.num_heads, self.head_dim).transpose(1, 2)
        v = v.reshape(batch, tokens, self.num_heads, self.head_dim).transpose(1, 2)

        # 3. Scores
        scores = torch.matmul(q, k.transpose(-2, -1)) * self.scale

        # 4. Causal mask
        scores = scores.masked_fill(~self.mask[:, :, :tokens, :tokens], float("-inf"))

        # 5. Softmax, then dropout
        weights = F.softmax(scores, dim=-1)
        weights = F.dropout(weights, p=self.p, training=self.training)

        # 6. Context
        context = torch.matmul(weights, v)

        # 7. Merge
        context = context.transpose(1, 2).contiguous().view(batch, tokens, self.d_out)

        # 8. Output projection
        return self.out_proj(context)


def main():
    torch.manual_seed(123)
    tokens = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66]])
    mha = MultiHeadAttention(3, 2, 6, 0.0, 2)
    out = mha(tokens[None])
    assert out.shape == (1, 2, 2)
    print(out)


if __name__ == "__main__":
    main()
