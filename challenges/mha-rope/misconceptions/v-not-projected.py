"""The values are the input itself.

Queries and keys are projected, but what is summed up at the end is the raw input. Values are made from it too, with
v_proj_weight.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, q_proj_weight), project(x, k_proj_weight), x
