"""The heads are split and merged by reshapes alone.

A reshape keeps all numbers in the same order: each "head" holds whole tokens instead of a share of every token, and the
merge undoes it just as silently. Swap two axes in both directions.
"""


def split_heads(x, layer):
    return x.reshape(x.shape[0], layer.num_heads, x.shape[1], layer.head_dim)


def merge_heads(x):
    return x.reshape(x.shape[0], x.shape[2], -1)
