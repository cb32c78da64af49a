"""The heads are split by a reshape alone.

A reshape never moves a number. Straight to (batch, heads, tokens, head_dim), the first head gets the first
tokens whole instead of its share of every token. First split the last axis, then exchange two axes.
"""


def split_heads(x, layer):
    return x.reshape(x.shape[0], layer.num_heads, x.shape[1], layer.head_dim)
