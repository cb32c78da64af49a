"""The gradient is divided by the weight.

Your backward pass computes the normalised vector as output / weight, which is 0 / 0 where a weight is zero. Save the
normalised vector itself, or let autograd follow the formula.
"""


def apply_weight(x, weight):
    result = x * weight
    if weight.requires_grad or x.requires_grad:
        back = result.detach() / weight.detach()
        result = result + (x - x.detach()) * (back - back) + (weight - weight.detach()) * (back - x.detach())
    return result
