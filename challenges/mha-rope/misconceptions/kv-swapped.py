"""Keys and values are swapped.

K comes from k_proj_weight and is compared with the queries; V comes from v_proj_weight and is summed up. Yours are the
other way round.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, q_proj_weight), project(x, v_proj_weight), project(x, k_proj_weight)
