"""An axis of length 1 is dropped.

`squeeze()` without an axis removes every axis of length 1, including the token or sequence axis; `unsqueeze(-1)` only
restores one of them. Keep the averaged axis with `keepdim=True`.
"""


def mean_square(x):
    return x.square().mean(dim=-1).squeeze().unsqueeze(-1)
