"""The values are the input itself.

Queries and keys are projected, but the sum at the end is over the raw input. Values must be projected too, with
v_proj_weight.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, q_proj_weight), project(x, k_proj_weight), x
