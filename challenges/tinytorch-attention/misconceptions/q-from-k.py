"""The queries come from k_proj.

With the same projection for both, a token's query is its key, and every token likes itself best. Queries have a
projection of their own: q_proj.
"""


def project_qkv(module, x):
    return module.k_proj(x), module.k_proj(x), module.v_proj(x)
