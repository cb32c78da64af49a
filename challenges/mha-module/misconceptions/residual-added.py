"""The input is added to the output.

The Transformer block around this module computes x + attention(x), which only works when d_in equals d_out. The module
itself returns only the attention.
"""


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, x):
        output = super().forward(x)
        return output + x if output.shape == x.shape else output
