"""The weights of the {each} are used untransposed.

The other projections are right, but this one is x @ W instead of x @ W.T. The block is square, so the shapes match
either way: compare the lines with each other.
"""

EACH = {"queries": (0,), "keys": (1,), "values": (2,), "queries and keys": (0, 1)}


def project_inputs(q, k, v, in_proj_weight):
    weights = split_in_proj(in_proj_weight)
    return tuple(
        x @ weight if place in each else project(x, weight)
        for place, (x, weight) in enumerate(zip((q, k, v), weights, strict=True))
    )
