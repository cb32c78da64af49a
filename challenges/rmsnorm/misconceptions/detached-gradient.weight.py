"""No gradient reaches the weight.

The values are right, but the weight is detached, so it would never be trained. Look for `detach()`, `.data` or a new
`nn.Parameter` made from it.
"""


def apply_weight(x, weight):
    return x * weight.detach()
