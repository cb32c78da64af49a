"""The gradient is clipped inside.

Your code cuts the gradient off at {each} as it comes in. Clipping is for the training loop to decide; here the
gradients must be those of the formula.
"""

EACH = {"0.1": 0.1, "1": 1.0}


def narrow(y, x):
    result = y.to(x.dtype)
    if result.requires_grad:
        result.register_hook(lambda gradient: gradient.clamp(-each, each))
    return result
