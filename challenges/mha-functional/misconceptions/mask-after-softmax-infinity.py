"""Minus infinity is filled in after the softmax.

The softmax turns scores into weights. Minus infinity belongs in the scores, where it becomes a weight of zero; as a
weight, it makes the output infinite.
"""


def weigh(Q, K, mask):
    return hide(softmax(scale(Q @ K.mT, Q.shape[-1])), mask)
