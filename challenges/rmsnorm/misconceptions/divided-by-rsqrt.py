"""The vector is divided by the reciprocal of its root mean square.

That multiplies by the root mean square, so large vectors become larger. `rsqrt` already includes the division.
"""


def root(mean, eps):
    return torch.rsqrt(mean + eps)
