"""Heads attend to heads.

Without the transpose the axes are (L, heads, d_head), and the scores compare the heads of one token with each other:
no token ever sees another. Attention works over the second axis from the end; bring the sequence there.
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1))


def merge_heads(x):
    return x.flatten(-2)
