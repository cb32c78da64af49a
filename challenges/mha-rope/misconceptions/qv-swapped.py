"""Queries and values are exchanged.

What should be compared with the keys is summed up, and what should be summed up is compared. Check which of the three
results goes where; a fused projection that is cut in another order does the same.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, v_proj_weight), project(x, k_proj_weight), project(x, q_proj_weight)
