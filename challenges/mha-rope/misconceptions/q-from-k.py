"""The queries are computed with the keys' weights.

With Q computed from k_proj_weight, every token looks for whatever resembles itself, and the score matrix becomes
symmetric. Perhaps a line was copied and not changed.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, k_proj_weight), project(x, k_proj_weight), project(x, v_proj_weight)
