"""An argument is changed.

Whoever calls still needs what was passed. Writing into .data, or giving it other numbers, changes the caller's Tensor; every
operation on Tensors makes a new one.
"""


def score(Q, K):
    Q.data *= 1.0 / math.sqrt(Q.shape[-1])
    return Q @ K.transpose(-2, -1)


def scale(scores, d_k):
    return scores
