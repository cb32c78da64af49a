"""The scores are divided by d_model.

A score is a sum over the d_head features of one head, and spreads as the root of their number: sqrt(d_head) is its scale.
"""


def weigh(Q, K, mask):
    return softmax(hide(Q @ K.mT / (Q.shape[-1] * Q.shape[-3]), mask))
