"""The gradient of the weight is averaged over the vectors.

The gradient of the weight is the sum of the contributions of all vectors. If you write the backward pass yourself, sum
over all leading axes.
"""


def apply_weight(x, weight):
    shared = weight.view_as(weight)
    if shared.requires_grad:
        shared.register_hook(lambda gradient: gradient * x.shape[-1] / x.numel())
    return x * shared
