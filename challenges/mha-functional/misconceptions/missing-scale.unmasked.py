"""The scores are not scaled where there is no mask.

In the branch for masks they are divided by sqrt(d_head), without one the line is missing. Scale before you ask whether there
is a mask.
"""


def weigh(Q, K, mask):
    scores = Q @ K.mT
    return softmax(scores if mask is None else hide(scale(scores, Q.shape[-1]), mask))
