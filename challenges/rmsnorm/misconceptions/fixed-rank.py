"""Only inputs with three axes work.

Your code unpacks the shape into batch, sequence and features. The exercise allows any number of leading axes, or none:
use axis -1 for the features and leave the others alone.
"""


def mean_square(x):
    batch, seq, d_model = x.shape
    return x.square().sum(dim=-1).view(batch, seq, 1) / d_model
