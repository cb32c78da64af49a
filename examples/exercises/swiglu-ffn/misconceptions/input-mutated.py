"""The {each} is overwritten.

An operation in place (`*=`, `mul_`, `out=`) changes the tensor of whoever called. Make a new one.
"""

EACH = {"input": 0, "weight w1": 1}


def hidden(x, w1, w3):
    result = gated(project(x, w1), project(x, w3))
    with torch.no_grad():
        (x, w1)[each].mul_(2)
    return result
