"""The scores are divided by {each}, whatever the width.

The scale is the square root of the width of the vectors being compared, so it changes with them: read it from
Q.shape[-1].
"""

EACH = {"8": 8.0, "the root of 8": 2.828427, "a tenth": 0.1}


def scale(scores, d_k):
    return scores * (1.0 / each)
