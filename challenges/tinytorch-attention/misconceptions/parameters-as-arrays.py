"""parameters() does not list the layers' own Tensors.

.data is a plain NumPy array without a grad, and a new Tensor made from it gets none. An optimizer needs the Tensors
that forward uses: layer.weight and layer.bias.
"""


def list_parameters(module):
    layers = (module.q_proj, module.k_proj, module.v_proj, module.out_proj)
    return [part.data for layer in layers for part in (layer.weight, layer.bias)]
