"""The wrapper has an output projection.

The wrapper only concatenates the outputs of its heads. A layer that mixes them is what MultiHeadAttention adds.
"""

EACH = {"made first": (True, False), "to d_out": (False, True), "to d_out made first": (True, True)}


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        is_first, is_narrow = each
        sizes = num_heads * d_out, d_out if is_narrow else num_heads * d_out
        if is_first:
            self.out_proj = nn.Linear(*sizes)
        self.heads = make_heads(num_heads, d_in, d_out, context_length, dropout, qkv_bias)
        if not is_first:
            self.out_proj = nn.Linear(*sizes)

    def forward(self, x):
        return self.out_proj(join([head(x) for head in self.heads]))
