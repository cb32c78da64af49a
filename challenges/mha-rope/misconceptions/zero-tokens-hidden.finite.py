"""A token of zeros is treated as padding.

A token that happens to be all zeros is a token like any other: its scores are zero, and it gets its share of the
attention. Nothing says that it is padding: only a mask hides tokens, and there is none here.
"""


def compare(Q, K):
    is_padding = (K == 0).all(dim=-1)[..., None, :]
    return (Q @ K.mT).masked_fill(is_padding, -1e9)
