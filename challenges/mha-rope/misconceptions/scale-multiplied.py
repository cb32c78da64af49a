"""The scores are multiplied by sqrt(d_head).

Scores are sums of d_head products, so they grow with the size of the head; the scaling undoes that. Divide.
"""


def scale(scores, d_k):
    return scores * math.sqrt(d_k)
