"""eps is not used.

It makes gradients a little shorter than max_norm, which shows where they are small. The formula adds it to the norm.
"""


def factor(norm, max_norm, eps):
    return max_norm / norm
