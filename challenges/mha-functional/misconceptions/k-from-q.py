"""The keys use the queries' weights.

The first block of in_proj_weight is only for q; the next d_model rows are for k. Perhaps a slice was copied and not
changed.
"""


def split_in_proj(in_proj_weight):
    query, _, value = in_proj_weight.unflatten(0, (3, -1))
    return query, query, value
