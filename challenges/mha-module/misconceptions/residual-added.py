"""x is added to the result.

The residual connection belongs to the Transformer block around this module, and x has the width of the result only where d_in
and d_out are equal. Return what out_proj gives.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        check_heads(d_out, num_heads)
        self.num_heads, self.head_dim = num_heads, head_width(d_in, d_out, num_heads)
        prepare(self, d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = output_layer(d_out, num_heads)

    def forward(self, x):
        output = mix_heads(self, attend_in_heads(self, *project_qkv(self, x)))
        return output + x if output.shape == x.shape else output
