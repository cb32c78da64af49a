"""The mask is added to the scores.

Adding True and False adds ones and zeros, so the hidden keys are still seen. Set the scores of hidden keys to minus
infinity before the softmax.
"""


def hide(scores, mask):
    return scores if mask is None else scores + mask
