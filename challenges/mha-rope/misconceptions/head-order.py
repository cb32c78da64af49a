"""The features are interleaved across the heads.

Head h owns the features h*d_head to (h+1)*d_head, so split as (heads, d_head). If you split as (d_head, heads), each
head gets every num_heads-th feature.
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (-1, num_heads)).movedim(-1, -3)


def merge_heads(x):
    return x.movedim(-3, -1).flatten(-2)
