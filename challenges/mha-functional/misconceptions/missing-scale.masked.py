"""The scores are not scaled where there is a mask.

Without a mask they are divided by sqrt(d_head), in the branch for masks the line is missing. Scale before you ask whether
there is a mask.
"""


def weigh(Q, K, mask):
    scores = Q @ K.mT
    return softmax(scale(scores, Q.shape[-1]) if mask is None else hide(scores, mask))
