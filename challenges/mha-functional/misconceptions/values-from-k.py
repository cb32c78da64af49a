"""The values are computed from k.

Keys and values often come from the same sequence, but need not: v is a separate argument. Perhaps a line was copied and
not changed.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, value = split_in_proj(in_proj_weight)
    return project(q, query), project(k, key), project(k, value)
