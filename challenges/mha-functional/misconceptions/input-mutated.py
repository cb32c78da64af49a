"""An argument is overwritten.

The arguments belong to the caller. A method that ends in an underscore, or an assignment to slices, changes it for
everyone who uses it: a mask that was multiplied in place is wrong in the next call. Create a new tensor instead.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, value = split_in_proj(in_proj_weight)
    q.data.mul_(2.0)
    return project(q, query) / 2.0, project(k, key), project(v, value)
