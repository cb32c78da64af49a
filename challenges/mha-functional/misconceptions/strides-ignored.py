"""in_proj_weight is read as if it were contiguous.

A transposed tensor is not stored in memory in the order of its axes. `as_strided`, `data_ptr` and the untyped storage
expose that memory order: read a tensor through its axes.
"""


def split_in_proj(in_proj_weight):
    d_model = in_proj_weight.shape[-1]
    query, key, value = in_proj_weight.as_strided((3, d_model, d_model), (d_model * d_model, d_model, 1))
    return query, key, value
