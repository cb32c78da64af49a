"""The heads of the wrapper are made for inputs d_out wide.

Every head gets x, which is d_in wide, and gives d_out features: CausalAttention(d_in, d_out, ...).
"""


def make_heads(num_heads, d_in, d_out, *others):
    return nn.ModuleList(CausalAttention(d_out, d_out, *others) for _ in range(num_heads))
