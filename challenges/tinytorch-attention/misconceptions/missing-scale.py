"""The scores are not divided by the square root of d_k.

A score is a sum of d_k products, so its spread grows with the root of d_k. Unscaled, the softmax puts nearly all weight
on one key, and its gradients vanish. d_k is the width of the vectors that are compared: Q.shape[-1].
"""


def scale(scores, d_k):
    return scores
