"""The gradient is NaN where a share is zero.

The values are right, but the backward pass goes through the logarithm of zero, whose slope is infinite. Divide the
exponentials, or subtract the logarithm of their sum from the exponent.
"""


def share(e, dim):
    return torch.exp(torch.log(e) - torch.log(total(e, dim)))
