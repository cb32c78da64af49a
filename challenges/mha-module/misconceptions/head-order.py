"""The features are interleaved across the heads.

Head h owns the features h*head_dim to (h+1)*head_dim, so split d_out as (heads, head_dim). Split as (head_dim, heads),
every head gets every num_heads-th feature.
"""


def split_heads(x, layer):
    return x.unflatten(-1, (layer.head_dim, layer.num_heads)).movedim(-1, 1)


def merge_heads(x):
    return x.movedim(1, -1).flatten(-2)
