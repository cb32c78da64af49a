"""The scores are scaled by the number of heads.

A score is a sum over the d_head features of one head, so sqrt(d_head) is its scale. Your size comes from another axis: look
at the order of axes where it is read.
"""


def scale(scores, d_head):
    return scores / math.sqrt(scores.shape[-3])
