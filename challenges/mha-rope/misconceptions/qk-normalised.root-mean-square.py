"""Queries and keys are normalised.

When they are divided by their root mean square, as in RMSNorm, their lengths no longer count. Some models do this, with
a learned scale, but this exercise compares the projections as they are.
"""


def compare(Q, K):
    Q, K = (x / x.square().mean(dim=-1, keepdim=True).add(1e-6).sqrt() for x in (Q, K))
    return Q @ K.mT
