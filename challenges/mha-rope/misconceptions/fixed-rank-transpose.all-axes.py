"""The keys are transposed along all their axes.

K.T reverses every axis of a tensor, the batch and the heads too; it is only the matrix transpose when there are two.
K.mT and K.transpose(-2, -1) swap the last two and leave the others alone.
"""


def compare(Q, K):
    return Q @ K.permute(*range(K.dim() - 1, -1, -1))
