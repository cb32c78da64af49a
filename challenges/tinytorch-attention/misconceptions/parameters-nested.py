"""parameters() lists layers or lists instead of Tensors.

An optimizer needs one flat list of Tensors. Each layer has a parameters() of its own; append() would add that list to
yours as one element; extend() or + joins them.
"""


def list_parameters(module):
    return [layer.parameters() for layer in (module.q_proj, module.k_proj, module.v_proj, module.out_proj)]
