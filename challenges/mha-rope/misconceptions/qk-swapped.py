"""Queries and keys are swapped.

The score matrix comes out transposed: each token uses its key as its query. Q comes from q_proj_weight, K from
k_proj_weight.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, k_proj_weight), project(x, q_proj_weight), project(x, v_proj_weight)
