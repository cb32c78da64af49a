"""The weight is applied to the tokens instead of the features.

There is one weight for each feature, along the last axis. When there are as many tokens as features, yours line up with
the tokens.
"""


def apply_weight(x, weight):
    is_square = x.dim() > 1 and x.shape[-2] == x.shape[-1]
    return x * (weight[:, None] if is_square else weight)
