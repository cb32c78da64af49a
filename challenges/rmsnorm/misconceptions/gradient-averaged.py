"""The gradient of the weight is averaged over the vectors.

Each vector adds its share to the gradient of the weight: it is their sum. If you write the backward pass yourself, sum
over all leading axes.
"""


def apply_weight(x, weight):
    shared = weight.view_as(weight)
    if shared.requires_grad:
        shared.register_hook(lambda gradient: gradient * x.shape[-1] / x.numel())
    return x * shared
