"""Keys and values are exchanged.

Keys come from k_proj, and are what queries are compared with; values come from v_proj, and are what is averaged.
"""


def project_qkv(module, x):
    return module.q_proj(x), module.v_proj(x), module.k_proj(x)
