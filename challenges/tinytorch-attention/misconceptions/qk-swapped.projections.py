"""The queries come from k_proj and the keys from q_proj.

Each projection has its task: what a token looks for comes from q_proj, what it is found by from k_proj. Exchanged, the score
matrix is transposed.
"""


def project_qkv(module, x):
    return module.k_proj(x), module.q_proj(x), module.v_proj(x)
