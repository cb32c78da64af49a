"""The scores are multiplied by sqrt(d_head).

A sum of d_head products spreads as sqrt(d_head) already. Divide by it; multiplying makes the softmax all but choose
a single key.
"""


def scale(scores, d_head):
    return scores * math.sqrt(d_head)
