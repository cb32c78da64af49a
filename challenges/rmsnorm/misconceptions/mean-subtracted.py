"""The mean is subtracted, as in LayerNorm.

RMSNorm does not centre a vector; it only changes its length. Leaving out the mean is what distinguishes it from
LayerNorm and makes it cheaper. Square the numbers as they are.
"""


def normalise(x, eps):
    x = x - x.mean(dim=-1, keepdim=True)
    return x / root(mean_square(x), eps)
