"""The wrapper uses one head several times.

Multiplying a list repeats the same head object: all entries share their weights and give the same result. Create a new
CausalAttention for each.
"""


def make_heads(num_heads, *sizes):
    return nn.ModuleList([CausalAttention(*sizes)] * num_heads)
