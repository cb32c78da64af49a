"""The weight is used as 1 + weight.

Some models (such as Gemma) store their weights as a difference from one, and this is right for them. Here the weight is
the factor itself.
"""


def apply_weight(x, weight):
    return x * (1 + weight)
