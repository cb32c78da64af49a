"""Queries and keys are normalised.

When they are divided by their lengths, all products lie between -1 and 1, and the softmax is nearly flat. Some models
do this, with a learned scale, but this exercise compares the projections as they are.
"""

EACH = {"and scaled": True, "and not scaled": False}


def weigh(Q, K, mask):
    scores = torch.nn.functional.normalize(Q, dim=-1) @ torch.nn.functional.normalize(K, dim=-1).mT
    return softmax(hide(scale(scores, Q.shape[-1]) if each else scores, mask))
