"""The bias of the {each} is left out.

A Linear layer computes x @ weight + bias. If you multiply by its weight yourself, you must also add the bias yourself;
calling the layer does both.
"""

EACH = {"queries": "q_proj", "values": "v_proj"}


def project_qkv(module, x):
    layers = {name: getattr(module, name) for name in ("q_proj", "k_proj", "v_proj")}
    return tuple(x @ layer.weight if name == each else layer(x) for name, layer in layers.items())
