"""When a sequence has as many tokens as there are heads, the two axes are not swapped.

The size of an axis does not say what it holds: any two may be equal. Heads are split off the last axis, so tokens
always come before them, and you always need to swap.
"""


def split_heads(x, layer):
    heads = x.unflatten(-1, (layer.num_heads, layer.head_dim))
    return heads if heads.shape[1] == layer.num_heads else heads.transpose(1, 2)
