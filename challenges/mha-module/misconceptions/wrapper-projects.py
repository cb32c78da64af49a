"""The wrapper has an output projection.

The wrapper only concatenates the outputs of its heads. A layer that mixes them is what MultiHeadAttention adds.
"""


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = make_heads(num_heads, d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(num_heads * d_out, num_heads * d_out)

    def forward(self, x):
        return self.out_proj(join([head(x) for head in self.heads]))
