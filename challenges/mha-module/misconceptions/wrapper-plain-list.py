"""The wrapper's heads are in a plain list.

A module does not look inside a Python list: the weights in it are not trained, saved or moved. Use nn.ModuleList, which
registers its modules.
"""


def make_heads(num_heads, *sizes):
    return [CausalAttention(*sizes) for _ in range(num_heads)]
