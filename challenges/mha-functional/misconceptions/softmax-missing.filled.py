"""There is no softmax.

Scores are not weights: they may be negative and sum to anything, and the hidden ones are far below zero. The softmax
over the keys turns them into weights.
"""

EACH = {"infinity": "-inf", "a large number": "-1e9"}


def softmax(scores):
    return scores.masked_fill(scores == -math.inf, float(each))
