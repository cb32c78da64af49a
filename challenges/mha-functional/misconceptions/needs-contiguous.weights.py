"""Non-contiguous weights are rejected.

view depends on how numbers lie in memory, and rejects a transposed tensor. reshape, unflatten and chunk accept any of
them.
"""


def split_in_proj(in_proj_weight):
    query, key, value = in_proj_weight.view(3, 1, -1)[:, 0].unflatten(-1, (-1, in_proj_weight.shape[-1]))
    return query, key, value
