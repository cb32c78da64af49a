"""The heads are split by a reshape alone.

A reshape keeps all numbers in the same order. If you reshape straight to (batch, heads, tokens, head_dim), the first
head gets whole tokens from the start instead of its share of every token. First split the last axis, then swap two
axes.
"""


def split_heads(x, layer):
    return x.reshape(x.shape[0], layer.num_heads, x.shape[1], layer.head_dim)
