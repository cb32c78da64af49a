"""parameters() lists arrays instead of Tensors.

Through .data you get the plain NumPy array, which has no grad. An optimizer needs the Tensors themselves: layer.weight and
layer.bias.
"""


def list_parameters(module):
    layers = (module.q_proj, module.k_proj, module.v_proj, module.out_proj)
    return [part.data for layer in layers for part in (layer.weight, layer.bias)]
