"""Inputs with equal values are treated as one input.

The output is right, but the gradients of k and v go to q. Tensors with equal values are still different tensors:
project each from its own argument, or compare them with `is`.
"""


def project_inputs(q, k, v, in_proj_weight):
    if q.shape == k.shape and torch.equal(q, k) and torch.equal(q, v):
        return tuple(project(q, weight) for weight in split_in_proj(in_proj_weight))
    return tuple(project(x, weight) for x, weight in zip((q, k, v), split_in_proj(in_proj_weight), strict=True))
