"""The gradient of the weight is averaged over the vectors.

It is the sum of what all vectors contribute. If you write the backward pass yourself, sum over all leading axes.
"""


def applied(x, weight):
    shared = weight.view_as(weight)
    if shared.requires_grad:
        shared.register_hook(lambda gradient: gradient * x.shape[-1] / x.numel())
    return x @ shared.T
