"""The scores of hidden keys become 0.

exp(0) is 1, which is more than many other keys get, so the hidden keys are clearly visible. This happens when you
multiply by the mask, or fill with 1e-9, which is nearly 0. Use -1e9 or, better, minus infinity.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, 1e-9)
