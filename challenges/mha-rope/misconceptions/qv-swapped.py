"""Queries and values are swapped.

The vectors that should be compared with the keys are summed, and the ones that should be summed are compared. Check
which of the three results goes where; a fused projection split in the wrong order does the same.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, v_proj_weight), project(x, k_proj_weight), project(x, q_proj_weight)
