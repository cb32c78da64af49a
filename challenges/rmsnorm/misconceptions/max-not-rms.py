"""The maximum is used instead of the root mean square.

The maximum is a different norm: one large number decides everything, and the others do not count. Square, average, and
take the root.
"""

EACH = {"eps under a root": "root", "eps added": "sum", "eps as a floor": "floor", "no eps": "none"}


def normalise(x, eps):
    largest = x.abs().amax(dim=-1, keepdim=True)
    by = {
        "root": torch.sqrt(largest.square() + eps),
        "sum": largest + eps,
        "floor": largest.clamp(min=eps),
        "none": largest,
    }
    return x / by[each]
