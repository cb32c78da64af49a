"""The wrapper does not hand dropout on.

The heads are made with another dropout than the wrapper was given, so nothing, or something else, is dropped in
training. Each CausalAttention needs to be told.
"""


class MultiHeadAttentionWrapper(MultiHeadAttentionWrapper):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, 0.0, num_heads, qkv_bias)
