"""Queries and keys are normalised.

When they are divided by their lengths, all products lie between -1 and 1, and the softmax is nearly flat. Some models
do this, with a learned scale, but this exercise compares the projections as they are.
"""

EACH = {"and scaled": True, "and not scaled": False}


def compare_tokens(queries, keys):
    return nn.functional.normalize(queries, dim=-1) @ nn.functional.normalize(keys, dim=-1).mT


def scale(scores, layer):
    return scores / math.sqrt(layer.head_dim) if each else scores
