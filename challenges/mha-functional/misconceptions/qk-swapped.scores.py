"""Keys ask, and queries answer.

The rows of the scores are to be queries and the columns keys: Q K^T, of shape (L_q, L_k). Here it is K Q^T, so each token
shares out its attention by its key. Look at the order of the product, or at the order of names where projections are unpacked.
"""


def weigh(Q, K, mask):
    return softmax(hide(scale(K @ Q.mT, Q.shape[-1]), mask))
