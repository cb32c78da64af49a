"""A norm of exactly max_norm is clipped too.

It is not too large. With an eps that counts, the gradients become shorter than they may be. Look at the comparison.
"""


def is_too_large(norm, max_norm):
    return norm >= max_norm and norm > 0
