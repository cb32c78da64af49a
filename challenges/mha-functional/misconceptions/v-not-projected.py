"""The values are the input itself.

Queries and keys are projected, but the sum at the end is over the raw v. Values must be projected too, with the last
block of in_proj_weight.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, _ = split_in_proj(in_proj_weight)
    return project(q, query), project(k, key), v
