"""The mean is subtracted, as in LayerNorm.

RMSNorm leaves a vector where it is and only changes its length: that it does without the mean is what sets it apart
from LayerNorm, and what makes it cheaper. Square the numbers as they come.
"""


def mean_square(x):
    return x.var(dim=-1, keepdim=True, correction=0)
