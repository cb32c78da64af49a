"""The gradient of x lacks the weight.

The result is the normalised vector times the weight, so on the way back the gradient is multiplied by the weight before
anything else. That is missing in your backward pass.
"""


def apply_weight(x, weight):
    return x - x.detach() + x.detach() * weight
