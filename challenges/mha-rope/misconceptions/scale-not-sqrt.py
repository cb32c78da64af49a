"""The scores are divided by d_head.

A sum of d_head products of unit variance has variance d_head, so its standard deviation is the square root of that:
divide by sqrt(d_head).
"""


def scale(scores, d_k):
    return scores / d_k
