"""The cosine rises.

It goes from min_lr to max_lr. Check its sign, or which of the two rates you begin with.
"""


def falling(share):
    return 0.5 * (1 - math.cos(math.pi * share))
