"""Queries and values are swapped.

Queries come from q_proj and are compared with the keys; values come from v_proj and are averaged.
"""


def project_qkv(module, x):
    return module.v_proj(x), module.k_proj(x), module.q_proj(x)
