"""The scale is the number of heads.

A score sums over the features of a head, so sqrt(d_k) is its scale. Your size comes from another axis: d_k is the last
one of Q and K, and of nothing else.
"""


def scale(scores, d_k):
    return scores / math.sqrt(scores.shape[-3])
