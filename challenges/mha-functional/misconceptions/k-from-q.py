"""The keys get the queries' weights.

The first block of in_proj_weight serves q alone; the next d_model rows are for k. A slice was copied and not changed.
"""


def split_in_proj(in_proj_weight):
    query, _, value = in_proj_weight.unflatten(0, (3, -1))
    return query, query, value
