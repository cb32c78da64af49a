"""Each projection takes every third row of in_proj_weight.

The three weights are stacked, d_model rows each: (3, d_model, d_model). Reshaped to (d_model, 3, d_model), their rows
are interleaved.
"""


def split_in_proj(in_proj_weight):
    query, key, value = in_proj_weight.unflatten(0, (-1, 3)).unbind(1)
    return query, key, value
