"""No gradient reaches the weight.

The values are right, but the graph is cut. Look for `detach()`, `.data`, NumPy or `torch.no_grad()` in forward.
"""


def looked_up(weight, token_ids):
    return weight.detach()[token_ids]
