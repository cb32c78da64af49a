"""The weights are applied to the wrong features.

Your weights are applied {each}: the first one belongs to the first feature, and so on.
"""

EACH = {"in reverse": 0, "shifted by one": 1, "shifted back by one": -1}


def apply_weight(x, weight):
    return x * (weight.roll(each) if each else weight.flip(0))
