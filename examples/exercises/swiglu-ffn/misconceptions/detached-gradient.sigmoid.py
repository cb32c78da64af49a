"""The sigmoid is detached.

SiLU is a product of two functions of z, and its derivative has a part from each. Yours holds the sigmoid for a constant.
"""


def silu(z):
    return z * torch.sigmoid(z).detach()
