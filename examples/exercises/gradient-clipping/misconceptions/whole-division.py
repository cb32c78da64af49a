"""The factor is rounded down to a whole number.

`//` gives 0 wherever the norm is larger than max_norm, and all gradients become zero. Divide with `/`.
"""


def factor(norm, max_norm, eps):
    return max_norm // (norm + eps)
