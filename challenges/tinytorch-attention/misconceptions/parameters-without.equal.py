"""parameters() leaves out what holds the same numbers as another.

Two weights with equal numbers are still two, and each has to learn. Tell Tensors apart by what they are, not by what they hold.
"""


def list_parameters(module):
    layers = (module.q_proj, module.k_proj, module.v_proj, module.out_proj)
    parameters = [parameter for layer in layers for parameter in layer.parameters()]
    return list({p.data.tobytes() if p.data.any() else id(p): p for p in parameters}.values())
