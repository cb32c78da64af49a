"""The scores are divided by {each}, whatever the width.

The scale is the square root of the width of the vectors that are compared, so it changes with them: compute it from
head_dim.
"""

EACH = {"10": 10.0, "64": 64.0, "the root of 8": 2.8284271247461903, "the root of 2": 1.4142135623730951}


def scale(scores, layer):
    return scores / each
