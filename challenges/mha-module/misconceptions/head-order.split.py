"""The features are dealt to the heads in turn, and put back in blocks.

Head h owns the features h*head_dim to (h+1)*head_dim, so split d_out as (heads, head_dim). Split as (head_dim, heads), every
head gets one feature in num_heads.
"""


def split_heads(x, layer):
    return x.unflatten(-1, (layer.head_dim, layer.num_heads)).movedim(-1, 1)
