"""Queries and values are exchanged.

Queries come from q_proj, and are what keys are compared with; values come from v_proj, and are what is averaged.
"""


def project_qkv(module, x):
    return module.v_proj(x), module.k_proj(x), module.q_proj(x)
