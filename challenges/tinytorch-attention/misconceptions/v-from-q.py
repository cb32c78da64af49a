"""The values come from q_proj.

What a token looks for (its query) and what it passes on (its value) are different projections: compute V with v_proj.
"""


def project_qkv(module, x):
    return module.q_proj(x), module.k_proj(x), module.q_proj(x)
