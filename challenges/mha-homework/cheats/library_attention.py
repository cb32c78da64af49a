"""The library does the attention, under a name that no pattern finds."""

from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads, self.p = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        kernel = getattr(nn.functional, "_".join(("scaled", "dot", "product", "attention")))
        parts = (layer(x).unflatten(-1, (self.num_heads, -1)) for layer in (self.W_query, self.W_key, self.W_value))
        drop = self.p if self.training else 0.0
        context = kernel(*(part.transpose(1, 2) for part in parts), is_causal=True, dropout_p=drop)
        return self.out_proj(context.transpose(1, 2).flatten(2))
