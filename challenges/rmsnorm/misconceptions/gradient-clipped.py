"""The gradient is clipped inside your function.

Your code clips the incoming gradient at {each}. Clipping is up to the training loop; here the gradients must be those
of the formula.
"""

EACH = {"0.1": 0.1, "1": 1.0}


def narrow(y, x):
    result = y.to(x.dtype)
    if result.requires_grad:
        result.register_hook(lambda gradient: gradient.clamp(-each, each))
    return result
