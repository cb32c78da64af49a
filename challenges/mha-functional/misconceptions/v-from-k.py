"""The values use the keys' weights.

The middle block of in_proj_weight is only for k; the last d_model rows are for v. Perhaps a slice was copied and not
changed.
"""


def split_in_proj(in_proj_weight):
    query, key, _ = in_proj_weight.unflatten(0, (3, -1))
    return query, key, key
