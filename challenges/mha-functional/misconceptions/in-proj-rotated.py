"""The blocks of in_proj_weight are used for {each}, in this order.

Its first d_model rows belong to the queries, the next to the keys and the last to the values. All three of yours are in
the wrong place.
"""

EACH = {"keys, values and queries": (2, 0, 1), "values, queries and keys": (1, 2, 0)}


def split_in_proj(in_proj_weight):
    blocks = in_proj_weight.unflatten(0, (3, -1))
    query, key, value = (blocks[place] for place in each)
    return query, key, value
