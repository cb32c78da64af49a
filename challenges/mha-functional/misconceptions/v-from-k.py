"""The values get the keys' weights.

The middle block of in_proj_weight serves k alone; the last d_model rows are for v. A slice was copied and not changed.
"""


def split_in_proj(in_proj_weight):
    query, key, _ = in_proj_weight.unflatten(0, (3, -1))
    return query, key, key
