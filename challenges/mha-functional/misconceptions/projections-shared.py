"""Queries, keys and values get the same weights.

The first d_model rows of in_proj_weight are only for q; the next are for k, and the last for v. Three projections of
one input are three different views of it.
"""


def split_in_proj(in_proj_weight):
    query, _, _ = in_proj_weight.unflatten(0, (3, -1))
    return query, query, query
