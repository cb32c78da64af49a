"""The wrapper does not hand dropout on.

The heads are made with another dropout than the wrapper was given, so nothing, or something else, is dropped in
training. Each CausalAttention needs to be told.
"""


def make_heads(num_heads, d_in, d_out, context_length, dropout, qkv_bias):
    return nn.ModuleList(CausalAttention(d_in, d_out, context_length, 0.0, qkv_bias) for _ in range(num_heads))
