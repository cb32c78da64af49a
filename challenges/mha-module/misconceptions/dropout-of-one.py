"""With dropout=1 the result is NaN.

The kept weights are divided by 1 - dropout, which is zero for dropout=1: 0 / 0. nn.Dropout returns zeros in that case.
"""


def drop(weights, layer):
    if not layer.training:
        return weights
    rate = layer.dropout.p
    return weights * (torch.rand_like(weights) >= rate) / (1 - rate)
