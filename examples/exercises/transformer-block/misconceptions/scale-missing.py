"""Scores are not divided by the root of d_head.

Without it they grow with the width of a head, and the softmax picks a single key.
"""


def compare(Q, K):
    return Q @ K.mT
