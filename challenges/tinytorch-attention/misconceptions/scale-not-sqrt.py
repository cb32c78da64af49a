"""The scores are divided by d_k, not by its square root.

Variances add up, so the standard deviation of a score is the square root of d_k. Dividing by d_k itself makes the
softmax nearly flat: every key gets about the same weight.
"""


def scale(scores, d_k):
    return scores * (1.0 / d_k)
