"""The keys come from q_proj.

With the same projection for both, a token's query is its key, and every token likes itself best. Keys have a projection of
their own: k_proj.
"""


def project_qkv(module, x):
    return module.q_proj(x), module.q_proj(x), module.v_proj(x)
