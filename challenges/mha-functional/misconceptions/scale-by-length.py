"""The scores are divided by the square root of the number of keys.

Axis -2 of a head counts tokens, axis -1 features. A score is a sum over the features, so divide by the square root of
the size of the last axis.
"""


def weigh(Q, K, mask):
    return softmax(hide(Q @ K.mT / math.sqrt(K.shape[-2]), mask))
