"""The scores are not scaled when there is a mask.

Without a mask they are divided by sqrt(d_head), but in the branch with a mask that line is missing. Scale before you
check whether there is a mask.
"""


def weigh(Q, K, mask):
    scores = Q @ K.mT
    return softmax(scale(scores, Q.shape[-1]) if mask is None else hide(scores, mask))
