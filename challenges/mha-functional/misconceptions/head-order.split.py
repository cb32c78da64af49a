"""The features are interleaved across the heads, and merged in another order.

Head h owns the features h*d_head to (h+1)*d_head, so split as (heads, d_head). Your merge is already right.
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (-1, num_heads)).movedim(-1, -3)
