"""The scores are divided by d_head.

A sum of d_head products of unit variance has the variance d_head, so its standard deviation is the square root of
that: divide by sqrt(d_head).
"""


def scale(scores, d_head):
    return scores / d_head
