"""A non-contiguous input is rejected.

view depends on how numbers lie in memory, and rejects a transposed or an expanded tensor. reshape, flatten and
unflatten accept any of them; so does multiplying by the tensor as it is.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    tokens = x.view(-1, x.shape[-1])
    return tuple(project(tokens, w).view(x.shape) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
