"""The {each} left out of the gradient.

The values are right, but the gradient treats part of the formula as a constant. Look for `detach()`, `.data`,
`.item()`, NumPy or `torch.no_grad()` around it.
"""

EACH = {"sum is": "sum", "exponential is": "exponential", "whole softmax is": "all"}


def share(e, dim):
    if each == "all":
        return (e / total(e, dim)).detach()
    return e / total(e, dim).detach() if each == "sum" else e.detach() / total(e, dim)
