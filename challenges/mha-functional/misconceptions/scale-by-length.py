"""The scores are scaled by the length of the sequence.

Axis -2 of a head counts tokens, axis -1 features. A score is a sum over the features, so the last axis has the size
whose root it is divided by.
"""


def weigh(Q, K, mask):
    return softmax(hide(Q @ K.mT / math.sqrt(K.shape[-2]), mask))
