"""Inputs of the same shape are treated as one input.

q, k and v may have equal shapes and still be different tensors. Your code should not depend on whether they are the
same: project each from its own argument.
"""


def project_inputs(q, k, v, in_proj_weight):
    if q.shape == k.shape == v.shape:
        return tuple(project(q, weight) for weight in split_in_proj(in_proj_weight))
    return tuple(project(x, weight) for x, weight in zip((q, k, v), split_in_proj(in_proj_weight), strict=True))
