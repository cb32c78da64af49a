"""Keys and values are swapped.

A query is compared with k, and v is what is summed. In your code each does the other's job.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, value = split_in_proj(in_proj_weight)
    return project(q, query), project(v, value), project(k, key)
