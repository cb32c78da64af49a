"""The value weights are used untransposed.

Queries, keys and the output are projected rightly, values with x @ W instead of x @ W.T. The block is square, so the
shapes agree either way: compare the lines with each other.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, value = split_in_proj(in_proj_weight)
    return project(q, query), project(k, key), v @ value
