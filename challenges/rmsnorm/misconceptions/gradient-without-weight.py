"""The gradient of x lacks the weight.

The result is the normalised vector times the weight, so the backward pass must first multiply the gradient by the
weight. That step is missing in yours.
"""


def apply_weight(x, weight):
    return x - x.detach() + x.detach() * weight
