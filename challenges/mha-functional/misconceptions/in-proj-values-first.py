"""The blocks of in_proj_weight are used in reverse.

Its first d_model rows belong to the queries, the next to the keys and the last to the values. Your code begins with the
values.
"""


def split_in_proj(in_proj_weight):
    query, key, value = in_proj_weight.unflatten(0, (3, -1))
    return value, key, query
