"""The scores are divided by sqrt(num_heads).

A score is a sum over the d_head features of one head, so divide by sqrt(d_head). Your code reads the size from a
different axis: check the order of the axes there.
"""


def scale(scores, d_head):
    return scores / math.sqrt(scores.shape[-3])
