"""The weight is applied to the tokens instead of the features.

There is one weight for each feature, along the last axis. With an axis added at the end, the weights line up with the
tokens, and the shape is only right when there are as many tokens as features.
"""


def apply_weight(x, weight):
    return x * weight[:, None]
