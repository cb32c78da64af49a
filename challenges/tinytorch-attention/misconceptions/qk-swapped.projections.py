"""The queries come from k_proj and the keys from q_proj.

Each projection has its own job: what a token looks for comes from q_proj, and how it is found comes from k_proj. When
they are swapped, the score matrix is transposed.
"""


def project_qkv(module, x):
    return module.k_proj(x), module.q_proj(x), module.v_proj(x)
