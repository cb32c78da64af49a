"""No gradient passes the normalised vector.

The values are right, but the normalised vector is cut off before the weight: the weight learns, and nothing in front of
this norm does. Look for `detach()`, `.data` or `torch.no_grad()`.
"""


def apply_weight(x, weight):
    return x.detach() * weight
