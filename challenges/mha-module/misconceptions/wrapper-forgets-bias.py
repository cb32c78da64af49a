"""The wrapper does not pass qkv_bias on.

The heads are created without the last argument, so they never have a bias. Pass it to each CausalAttention.
"""


def make_heads(num_heads, d_in, d_out, context_length, dropout, qkv_bias):
    return nn.ModuleList(CausalAttention(d_in, d_out, context_length, dropout) for _ in range(num_heads))
