"""Keys and values are exchanged.

k is what a query is compared with, v is what is summed up. In your code each does the other's work.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, value = split_in_proj(in_proj_weight)
    return project(q, query), project(v, value), project(k, key)
