"""qkv_bias is True by default.

Callers who leave it out expect no biases: the signature says `qkv_bias=False`. Use it exactly as the exercise gives it.
"""


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=True):
        super().__init__(d_in, d_out, context_length, dropout, num_heads, qkv_bias)
