"""Weights that are not contiguous are refused.

view asks how numbers lie in memory, and refuses a transposed tensor. reshape, unflatten and chunk take them all.
"""


def split_in_proj(in_proj_weight):
    query, key, value = in_proj_weight.view(3, 1, -1)[:, 0].unflatten(-1, (-1, in_proj_weight.shape[-1]))
    return query, key, value
