"""The weights of queries and keys are swapped.

The first d_model rows of in_proj_weight belong to the queries, the next to the keys and the last to the values. You
have the first two the wrong way round.
"""


def split_in_proj(in_proj_weight):
    query, key, value = in_proj_weight.unflatten(0, (3, -1))
    return key, query, value
