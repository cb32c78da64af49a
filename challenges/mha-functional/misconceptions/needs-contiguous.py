"""Non-contiguous inputs are rejected.

view depends on how the numbers lie in memory, and may reject a transposed or expanded tensor. reshape, flatten and
unflatten accept any tensor, and so does matrix multiplication.
"""


def project_inputs(q, k, v, in_proj_weight):
    weights = split_in_proj(in_proj_weight)
    flat = [x.view(-1, x.shape[-1]) @ weight.mT for x, weight in zip((q, k, v), weights, strict=True)]
    return tuple(y.view(*x.shape) for x, y in zip((q, k, v), flat, strict=True))
