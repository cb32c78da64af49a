"""Non-contiguous inputs are rejected.

view depends on how numbers lie in memory, and rejects a transposed or an expanded tensor. reshape, flatten and
unflatten accept any of them; so does multiplying by the tensor as it is.
"""


def project_inputs(q, k, v, in_proj_weight):
    weights = split_in_proj(in_proj_weight)
    flat = [x.view(-1, x.shape[-1]) @ weight.mT for x, weight in zip((q, k, v), weights, strict=True)]
    return tuple(y.view(*x.shape) for x, y in zip((q, k, v), flat, strict=True))
