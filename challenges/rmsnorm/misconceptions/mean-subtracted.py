"""The mean is subtracted, as in LayerNorm.

RMSNorm leaves a vector where it is and only changes its length: that it does without the mean is what sets it apart
from LayerNorm, and what makes it cheaper. Square the numbers as they come.
"""


def normalise(x, eps):
    x = x - x.mean(dim=-1, keepdim=True)
    return x / root(mean_square(x), eps)
