"""The mask is ignored.

With a mask or without one, your output is the same. The scores of hidden keys must become minus infinity before the
softmax.
"""


def hide(scores, mask):
    return scores
