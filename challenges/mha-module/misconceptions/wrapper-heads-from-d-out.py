"""The heads of the wrapper are created for inputs d_out wide.

Every head gets x, which is d_in wide, and returns d_out features: CausalAttention(d_in, d_out, ...).
"""


def make_heads(num_heads, d_in, d_out, *others):
    return nn.ModuleList(CausalAttention(d_out, d_out, *others) for _ in range(num_heads))
