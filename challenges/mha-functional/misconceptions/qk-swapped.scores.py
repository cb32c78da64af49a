"""Queries and keys are swapped in the scores.

The rows of the scores must be queries and the columns keys: Q K^T, of shape (L_q, L_k). Yours is K Q^T, so each token
attends with its key. Check the order of the product, or the order of names where the projections are unpacked.
"""


def weigh(Q, K, mask):
    return softmax(hide(scale(K @ Q.mT, Q.shape[-1]), mask))
