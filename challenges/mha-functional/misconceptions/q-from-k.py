"""The queries use the keys' weights.

The middle block of in_proj_weight is only for k; the first d_model rows are for q. Perhaps a slice was copied and not
changed.
"""


def split_in_proj(in_proj_weight):
    _, key, value = in_proj_weight.unflatten(0, (3, -1))
    return key, key, value
