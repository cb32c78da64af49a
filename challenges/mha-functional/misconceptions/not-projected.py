"""The {each} are not projected.

Queries, keys and values each are made of their input by a block of in_proj_weight. Yours use the raw input for the {each}.
"""

EACH = {"queries": (0,), "keys": (1,), "queries and keys": (0, 1), "inputs": (0, 1, 2)}


def project_inputs(q, k, v, in_proj_weight):
    weights = split_in_proj(in_proj_weight)
    return tuple(
        x if place in each else project(x, weight)
        for place, (x, weight) in enumerate(zip((q, k, v), weights, strict=True))
    )
