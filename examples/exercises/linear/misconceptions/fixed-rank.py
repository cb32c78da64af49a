"""Only an x with {each} axes is accepted.

There may be any number of leading axes, or none. Products with @ take them as they are.
"""

EACH = {"two": 2, "three": 3}


def applied(x, weight):
    if x.dim() != each:
        raise ValueError(f"x must have {each} axes")
    return x @ weight.T
