"""The {each} of the weight is used.

The weight is the factor itself, whatever its value: negative, zero or large. Multiply by it as it is.
"""

EACH = {"absolute value": 0, "square": 1, "exponential": 2, "softmax": 3, "sigmoid": 4, "share": 5, "positive part": 6}


def apply_weight(x, weight):
    functions = (
        torch.abs,
        torch.square,
        torch.exp,
        lambda weight: weight.softmax(0),
        torch.sigmoid,
        lambda weight: weight / weight.sum(),
        torch.relu,
    )
    return x * functions[each](weight)
