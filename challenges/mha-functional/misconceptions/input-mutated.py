"""An argument is overwritten.

The arguments belong to the caller. A method whose name ends in an underscore, or an assignment to a slice, changes them
for everyone who uses them: a mask that was multiplied in place is wrong in the next call. Create a new tensor instead.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, value = split_in_proj(in_proj_weight)
    q.data.mul_(2.0)
    return project(q, query) / 2.0, project(k, key), project(v, value)
