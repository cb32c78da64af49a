"""The sum of the squares is divided by d_model - 1.

That correction belongs to a sample variance, where estimating the mean uses up one degree of freedom. Here no mean is
estimated: divide by d_model.
"""


def mean_square(x):
    return x.square().sum(dim=-1, keepdim=True) / max(x.shape[-1] - 1, 1)
