"""The values are computed from k.

Keys and values often are the same sequence, and need not be: v is an argument of its own. A line was copied and not
changed, perhaps.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, value = split_in_proj(in_proj_weight)
    return project(q, query), project(k, key), project(k, value)
