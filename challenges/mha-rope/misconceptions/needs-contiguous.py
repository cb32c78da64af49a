"""A non-contiguous input is rejected.

view depends on how the numbers lie in memory, and rejects many transposed and expanded tensors. reshape, flatten and
unflatten accept any of them; so does a matrix product.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    tokens = x.view(-1, x.shape[-1])
    return tuple(project(tokens, w).view(x.shape) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
