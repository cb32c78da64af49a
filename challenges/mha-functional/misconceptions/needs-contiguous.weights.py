"""Non-contiguous weights are rejected.

view depends on how the numbers lie in memory, and may reject a transposed tensor. reshape, unflatten and chunk accept
any tensor.
"""


def split_in_proj(in_proj_weight):
    query, key, value = in_proj_weight.view(3, 1, -1)[:, 0].unflatten(-1, (-1, in_proj_weight.shape[-1]))
    return query, key, value
