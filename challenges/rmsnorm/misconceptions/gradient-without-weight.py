"""The gradient of x does not include the weight.

The result is the normalised vector times the weight, so the backward pass must first multiply the gradient by the
weight. That step is missing from yours.
"""


def apply_weight(x, weight):
    return x - x.detach() + x.detach() * weight
