"""The heads are interleaved when they are merged.

They are split correctly (each head owns neighbouring features), but then merged as (d_head, heads): feature 0 of all
heads, feature 1 of all heads, and so on. W_O expects all of head 0, then all of head 1.
"""


def merge_heads(x):
    return x.movedim(-3, -1).flatten(-2)
