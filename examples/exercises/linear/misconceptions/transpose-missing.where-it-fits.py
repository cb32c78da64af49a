"""The weight is transposed only where it would not fit otherwise.

Where there are as many outputs as inputs, both fit, and only one is right. Transpose it always.
"""


def applied(x, weight):
    return x @ (weight if x.shape[-1] == weight.shape[0] else weight.T)
