"""An argument is overwritten.

What you are given belongs to the caller. A method that ends in an underscore, or an assignment to slices, changes it
for everyone: a mask that was multiplied in place is no mask at the next call. Build a new tensor instead.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, value = split_in_proj(in_proj_weight)
    q.data.mul_(2.0)
    return project(q, query) / 2.0, project(k, key), project(v, value)
