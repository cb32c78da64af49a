"""The wrapper does not hand qkv_bias on.

The heads are made without the last argument, so they never have a bias. Each CausalAttention needs to be told.
"""


def make_heads(num_heads, d_in, d_out, context_length, dropout, qkv_bias):
    return nn.ModuleList(CausalAttention(d_in, d_out, context_length, dropout) for _ in range(num_heads))
