"""The {each} are not projected.

Queries, keys and values are each computed from their input with a block of in_proj_weight. Your code uses the raw input
for the {each}.
"""

EACH = {"queries": (0,), "keys": (1,), "queries and keys": (0, 1), "inputs": (0, 1, 2)}


def project_inputs(q, k, v, in_proj_weight):
    weights = split_in_proj(in_proj_weight)
    return tuple(
        x if place in each else project(x, weight)
        for place, (x, weight) in enumerate(zip((q, k, v), weights, strict=True))
    )
