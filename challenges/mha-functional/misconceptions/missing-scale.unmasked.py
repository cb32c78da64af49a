"""The scores are not scaled when there is no mask.

In the branch with a mask they are divided by sqrt(d_head), but without one that line is missing. Scale before you check
whether there is a mask.
"""


def weigh(Q, K, mask):
    scores = Q @ K.mT
    return softmax(scores if mask is None else hide(scale(scores, Q.shape[-1]), mask))
