"""The scores are divided by d, not by its square root.

Variances add up, so the standard deviation of a score is the square root of d. Dividing by d itself makes the softmax
nearly flat: every key gets about the same weight.
"""


def scale(scores, d_k):
    return scores * (1.0 / d_k)
