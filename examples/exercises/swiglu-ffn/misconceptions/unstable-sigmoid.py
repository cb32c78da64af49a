"""Large gates overflow.

exp(100) is too large for float32: it becomes infinite, and infinity divided by infinity is not a number. Which of the
two ways to write the sigmoid has only one exponential in it, and is that enough for the gradient?
"""


def silu(z):
    return z * torch.exp(z) / (1 + torch.exp(z))
