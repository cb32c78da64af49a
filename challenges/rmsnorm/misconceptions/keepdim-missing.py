"""The averaged axis is dropped, so the division lines up with the wrong axes.

Without its last axis, the root mean square has one number for each vector, and broadcasting lines these up with the
features instead. That raises an error, or, where there are as many vectors as features, divides by the wrong numbers.
Keep the axis, with length 1.
"""


def mean_square(x):
    return x.square().mean(dim=-1)
