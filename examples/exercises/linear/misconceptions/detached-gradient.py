"""No gradient reaches {each}.

The values are right, but the graph is cut. Look for `detach()`, `.data`, NumPy or `torch.no_grad()` in forward.
"""

EACH = {"the weight": 1, "x": 0}


def applied(*given):
    x, weight = (part.detach() if place == each else part for place, part in enumerate(given))
    return x @ weight.T
