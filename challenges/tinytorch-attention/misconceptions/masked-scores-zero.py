"""A score of zero is taken for hidden.

Scores are multiplied by the mask, and every zero becomes minus infinity; but a visible score may be zero itself, as of
vectors at right angles. Ask the mask what is hidden.
"""


def hide(scores, mask):
    return scores if mask is None else scores + Tensor((scores.data * mask.data == 0) * FAR_BELOW)
