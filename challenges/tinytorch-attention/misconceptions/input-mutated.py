"""An argument is changed.

The caller still needs the arguments. Writing into .data, or assigning to it or to requires_grad, changes the caller's
Tensor; every operation on Tensors creates a new one.
"""


def score(Q, K):
    Q.data *= 1.0 / math.sqrt(Q.shape[-1])
    return Q @ K.transpose(-2, -1)


def scale(scores, d_k):
    return scores
