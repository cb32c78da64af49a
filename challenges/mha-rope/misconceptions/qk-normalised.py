"""Queries and keys are normalised.

When they are divided by their lengths, all scores lie between -1 and 1, and the softmax is nearly flat. Some models do
this, with a learned scale, but this exercise compares the projections as they are.
"""


def compare(Q, K):
    return (Q / Q.norm(dim=-1, keepdim=True)) @ (K / K.norm(dim=-1, keepdim=True)).mT
