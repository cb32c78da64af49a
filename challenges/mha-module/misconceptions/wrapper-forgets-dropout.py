"""The wrapper does not pass dropout on.

The heads are created with a different dropout from the wrapper's, so in training nothing is dropped, or the wrong
amount. Pass it to each CausalAttention.
"""


class MultiHeadAttentionWrapper(MultiHeadAttentionWrapper):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, 0.0, num_heads, qkv_bias)
