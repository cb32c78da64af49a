"""The weights are scaled, not the scores.

When you divide after the softmax, the weights of a query no longer sum to one. Divide the scores, before the softmax.
"""


def weigh(Q, K, mask):
    return scale(softmax(hide(Q @ K.mT, mask)), Q.shape[-1])
