"""The values get the queries' weights.

The first block of in_proj_weight serves q alone; the last d_model rows are for v. A slice was copied and not changed.
"""


def split_in_proj(in_proj_weight):
    query, key, _ = in_proj_weight.unflatten(0, (3, -1))
    return query, key, query
