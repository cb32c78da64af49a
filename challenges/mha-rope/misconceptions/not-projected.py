"""The {each} are not projected.

Queries, keys and values are each computed from the input with their own weight. Your code uses the raw input for the
{each}.
"""

EACH = {"queries": (0,), "keys": (1,), "queries and keys": (0, 1)}


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    return tuple(x if place in each else project(x, weight) for place, weight in enumerate(weights))
