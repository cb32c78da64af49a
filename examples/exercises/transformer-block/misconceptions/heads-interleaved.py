"""Heads take every num_heads-th feature instead of neighbouring ones.

Head h owns features h*d_head to (h+1)*d_head: reshape to (heads, d_head), in this order.
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (-1, num_heads)).movedim(-1, -3)
