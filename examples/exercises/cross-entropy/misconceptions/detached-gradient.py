"""The {each} is left out of the gradient.

The loss is right, but its gradient treats part of the formula as a constant. Look for `detach()`, `.data`, `.item()`,
NumPy or `torch.no_grad()` around it.
"""

EACH = {"logarithm of the sum": "sum", "target's logit": "target", "whole loss": "all"}


def losses(shifted, targets):
    summed, of_target = log_sum(shifted), chosen(shifted, targets)
    if each == "all":
        return (summed - of_target).detach()
    return summed.detach() - of_target if each == "sum" else summed - of_target.detach()
