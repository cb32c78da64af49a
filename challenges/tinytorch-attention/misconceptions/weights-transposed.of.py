"""The weight of the {each} is transposed.

tinytorch's Linear stores its weight as (in_features, out_features), the opposite of PyTorch: use x @ weight, without a
transpose.
"""

EACH = {"queries": "q_proj", "keys": "k_proj", "values": "v_proj"}


def project_qkv(module, x):
    layers = {name: getattr(module, name) for name in ("q_proj", "k_proj", "v_proj")}
    return tuple(
        x @ layer.weight.transpose() + layer.bias if name == each else layer(x) for name, layer in layers.items()
    )
