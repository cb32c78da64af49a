"""The sum of the squares is divided by a padded length.

Zeros that fill a vector up to a multiple of {each} add nothing to the sum, but your mean counts them. Divide by d_model.
"""

EACH = {"two": 2, "four": 4, "eight": 8}


def mean_square(x):
    return x.square().sum(dim=-1, keepdim=True) / (x.shape[-1] + -x.shape[-1] % each)
