"""The {each} are the input itself.

They are not projected, although the rest is. What a token looks for and how it is found are learned: q_proj and k_proj.
"""

EACH = {"queries": 0, "keys": 1}


def project_qkv(module, x):
    layers = (module.q_proj, module.k_proj, module.v_proj)
    return tuple(x if place == each else layer(x) for place, layer in enumerate(layers))
