"""Heads are merged without moving them back behind the tokens.

A reshape of (heads, seq, d_head) gives the right shape, and mixes tokens. Transpose first.
"""


def merge_heads(x):
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)
