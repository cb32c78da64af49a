"""The wrapper uses one head several times.

A list times a number repeats the same head: all copies have the same weights and give the same result. Make a
new CausalAttention for each.
"""


def make_heads(num_heads, *sizes):
    return nn.ModuleList([CausalAttention(*sizes)] * num_heads)
