"""The wrapper's heads are in a plain list.

A module does not look into a list: weights in it are not trained, not saved and not moved. nn.ModuleList is a
list that the module knows.
"""


def make_heads(num_heads, *sizes):
    return [CausalAttention(*sizes) for _ in range(num_heads)]
