"""Queries and keys are normalised.

When they are divided by their lengths, all products lie between -1 and 1, and the softmax is nearly flat. Also, a token
of zeros has length zero, and 0 / 0 is NaN. Some models do this, with a learned scale, but this exercise compares the
projections as they are.
"""

EACH = {"and scaled": True, "and not scaled": False}


def weigh(Q, K, mask):
    scores = (Q / Q.norm(dim=-1, keepdim=True)) @ (K / K.norm(dim=-1, keepdim=True)).mT
    return softmax(hide(scale(scores, Q.shape[-1]) if each else scores, mask))
