"""The wrapper splits d_out among its heads.

In MultiHeadAttention the heads share d_out. In the wrapper each head is d_out wide, so the output has num_heads * d_out
features.
"""


def make_heads(num_heads, d_in, d_out, *others):
    return nn.ModuleList(CausalAttention(d_in, d_out // num_heads, *others) for _ in range(num_heads))
