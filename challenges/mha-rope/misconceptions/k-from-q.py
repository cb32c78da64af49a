"""The keys come from the queries' weights.

With K made from q_proj_weight every token looks for what it is itself, and the score matrix becomes symmetric. A
line was copied and not changed.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, q_proj_weight), project(x, q_proj_weight), project(x, v_proj_weight)
