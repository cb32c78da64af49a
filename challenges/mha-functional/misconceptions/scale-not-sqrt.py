"""The scores are divided by d_head.

A sum of d_head products of unit variance has variance d_head, so its standard deviation is sqrt(d_head): divide by
that.
"""


def scale(scores, d_head):
    return scores / d_head
