"""The weights of queries, keys and values are transposed.

tinytorch's Linear stores its weight as (in_features, out_features), the opposite of PyTorch: use x @ weight, without a
transpose.
"""


def project_qkv(module, x):
    layers = (module.q_proj, module.k_proj, module.v_proj)
    return tuple(x @ layer.weight.transpose() + layer.bias for layer in layers)
