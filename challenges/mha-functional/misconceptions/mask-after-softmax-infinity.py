"""Minus infinity is put in after the softmax.

The softmax turns scores into weights; minus infinity belongs among the scores, where it becomes a weight of zero. As
a weight it makes the output infinite.
"""


def weigh(Q, K, mask):
    return hide(softmax(scale(Q @ K.mT, Q.shape[-1])), mask)
