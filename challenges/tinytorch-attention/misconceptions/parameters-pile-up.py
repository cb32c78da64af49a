"""parameters() grows with every call.

A list that is a default argument, or belongs to the class or the module, is created once and kept. Create a new list in
every call.
"""

_listed = []


def list_parameters(module):
    layers = (module.q_proj, module.k_proj, module.v_proj, module.out_proj)
    mine = {id(parameter): parameter for layer in layers for parameter in layer.parameters()}
    _listed[:] = [one for one in _listed if id(one) in mine] + list(mine.values())
    return list(_listed)
