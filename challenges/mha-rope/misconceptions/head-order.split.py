"""The features are interleaved across the heads when they are split.

Head h owns the features h*d_head to (h+1)*d_head: split as (heads, d_head). Yours are split as (d_head, heads) and
merged as (heads, d_head), so they also come back in a different order.
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (-1, num_heads)).movedim(-1, -3)
