"""The values are the keys.

What a token is found by (its key) and what it hands over (its value) are different projections: multiply the weights with V,
and make V with v_proj.
"""


def project_qkv(module, x):
    return module.q_proj(x), module.k_proj(x), module.k_proj(x)
