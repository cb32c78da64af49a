"""Queries and keys are exchanged.

The score matrix comes out transposed: each token asks with its key. Q comes from q_proj_weight, K from
k_proj_weight.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, k_proj_weight), project(x, q_proj_weight), project(x, v_proj_weight)
