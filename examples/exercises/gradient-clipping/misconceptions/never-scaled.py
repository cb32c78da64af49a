"""Long gradients are left, and short ones are scaled.

The comparison is the wrong way round.
"""


def is_too_large(norm, max_norm):
    return 0 < norm < max_norm
