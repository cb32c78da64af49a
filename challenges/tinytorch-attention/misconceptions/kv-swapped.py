"""Keys and values are swapped.

Keys come from k_proj and are compared with the queries; values come from v_proj and are averaged.
"""


def project_qkv(module, x):
    return module.q_proj(x), module.v_proj(x), module.k_proj(x)
