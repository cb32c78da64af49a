"""Queries, keys and values get the same weights.

The first d_model rows of in_proj_weight serve q alone; the next are for k, the last for v. Three projections of one input are
three views of it.
"""


def split_in_proj(in_proj_weight):
    query, _, _ = in_proj_weight.unflatten(0, (3, -1))
    return query, query, query
