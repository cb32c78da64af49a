"""The keys are computed with the queries' weights.

With K computed from q_proj_weight, every token looks for whatever resembles itself, and the score matrix becomes
symmetric. Perhaps a line was copied and not changed.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, q_proj_weight), project(x, q_proj_weight), project(x, v_proj_weight)
