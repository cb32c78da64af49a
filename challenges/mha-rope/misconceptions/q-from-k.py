"""The queries are computed with the keys' weights.

With Q computed from k_proj_weight, every token asks for what it offers itself, and the score matrix before RoPE is
symmetric. Perhaps a line was copied and not changed.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, k_proj_weight), project(x, k_proj_weight), project(x, v_proj_weight)
