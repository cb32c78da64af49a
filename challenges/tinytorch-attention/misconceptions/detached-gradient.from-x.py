"""The {each} are projected from a copy of x without its history.

Tensor(x.data) has the right numbers but no history: x misses the part of its gradient that comes through the {each}.
Project x itself.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def project_qkv(module, x):
    layers = (module.q_proj, module.k_proj, module.v_proj)
    return tuple(layer(Tensor(x.data) if place == each else x) for place, layer in enumerate(layers))
