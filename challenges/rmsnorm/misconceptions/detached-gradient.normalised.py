"""No gradient passes through the normalised vector.

The values are right, but the normalised vector is detached before the weight: the weight learns, but nothing before
this norm does. Look for `detach()`, `.data` or `torch.no_grad()`.
"""


def apply_weight(x, weight):
    return x.detach() * weight
