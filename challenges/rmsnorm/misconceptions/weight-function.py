"""The weight is replaced by its {each}.

The weight is the factor itself, whatever its value: negative, zero or large. Multiply by it as it is.
"""

EACH = {"absolute value": 0, "square": 1, "exponential": 2, "softmax": 3, "sigmoid": 4, "positive part": 5}


def apply_weight(x, weight):
    functions = (
        torch.abs,
        torch.square,
        torch.exp,
        lambda weight: weight.softmax(0),
        torch.sigmoid,
        torch.relu,
    )
    return x * functions[each](weight)
