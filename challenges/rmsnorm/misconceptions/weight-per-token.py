"""The weight is applied to the tokens instead of the features.

There is one weight for each feature, the last axis. With an axis added at the end, the weight lines up with the tokens;
that only runs when there are as many tokens as features.
"""


def apply_weight(x, weight):
    return x * weight[:, None]
