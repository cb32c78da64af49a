"""out_proj goes back to d_in.

The merged heads are d_out wide, and so is the result: out_proj is an nn.Linear from d_out to d_out. In many models d_in
is equal to d_out, so the mistake goes unnoticed.
"""


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, num_heads, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_in)
