"""A score of zero is treated as hidden.

Scores are multiplied by the mask, and every zero becomes minus infinity. But a visible score may itself be zero, for
vectors at right angles. Use the mask to decide what is hidden.
"""


def hide(scores, mask):
    return scores if mask is None else scores + Tensor((scores.data * mask.data == 0) * FAR_BELOW)
