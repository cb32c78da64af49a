"""An eps of 0 is taken for one that was left out.

Python takes 0 for false, so `eps or 1e-6` is never 0. Zero is allowed: give the parameter its default instead.
"""


def factor(norm, max_norm, eps):
    return max_norm / (norm + (eps or 1e-6))
