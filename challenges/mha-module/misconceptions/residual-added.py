"""The input is added to the output.

x + attention(x) is what the Transformer block around this module does, and works only where d_in and d_out are equal.
The module itself returns the attention alone.
"""


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, x):
        output = super().forward(x)
        return output + x if output.shape == x.shape else output
