"""The scores are multiplied by sqrt(d_head).

The spread of a sum of d_head products is already sqrt(d_head). Divide by it; multiplying makes the softmax pick almost
a single key.
"""


def scale(scores, d_head):
    return scores * math.sqrt(d_head)
