"""The mask is ignored.

Your output is the same with and without a mask. Set the scores of hidden keys to minus infinity before the softmax.
"""


def hide(scores, mask):
    return scores
