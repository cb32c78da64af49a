"""A non-contiguous input is rejected.

view depends on how the numbers lie in memory, and rejects leading axes that cannot be merged there. reshape and flatten
copy when they need to; a matrix product takes any number of axes as they are.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    sequences = x.view(-1, *x.shape[-2:])
    return tuple(project(sequences, w).view(x.shape) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
