"""The weights of keys and values are swapped.

The first d_model rows of in_proj_weight belong to the queries, the next to the keys and the last to the values. You
have the last two the wrong way round.
"""


def split_in_proj(in_proj_weight):
    query, key, value = in_proj_weight.unflatten(0, (3, -1))
    return query, value, key
