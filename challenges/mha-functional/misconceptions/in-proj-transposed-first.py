"""in_proj_weight is transposed before it is split into three.

Transposed, it is (d_model, 3 * d_model), with the three weights side by side. Reshaping that into three squares cuts
through the rows: split first, or chunk along the last axis.
"""


def split_in_proj(in_proj_weight):
    query, key, value = in_proj_weight.mT.reshape(3, -1, in_proj_weight.shape[-1]).mT
    return query, key, value
