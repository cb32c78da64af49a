"""The values are the keys.

How a token is found (its key) and what it passes on (its value) are different projections: multiply the weights by V,
and compute V with v_proj.
"""


def project_qkv(module, x):
    return module.q_proj(x), module.k_proj(x), module.k_proj(x)
