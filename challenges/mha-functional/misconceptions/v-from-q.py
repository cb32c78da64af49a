"""The values use the queries' weights.

The first block of in_proj_weight is only for q; the last d_model rows are for v. Perhaps a slice was copied and not
changed.
"""


def split_in_proj(in_proj_weight):
    query, key, _ = in_proj_weight.unflatten(0, (3, -1))
    return query, key, query
