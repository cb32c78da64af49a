"""The keys come from q_proj.

With the same projection for both, a token's query is also its key, and every token tends to match itself best. Keys
have their own projection: k_proj.
"""


def project_qkv(module, x):
    return module.q_proj(x), module.q_proj(x), module.v_proj(x)
