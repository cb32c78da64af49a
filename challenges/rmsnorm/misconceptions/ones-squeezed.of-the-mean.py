"""An axis of length 1 is dropped.

squeeze() without an axis takes every axis of length 1 away, also one of tokens or sequences; unsqueeze(-1) brings back one of
them. Keep the averaged axis with keepdim=True.
"""


def mean_square(x):
    return x.square().mean(dim=-1).squeeze().unsqueeze(-1)
