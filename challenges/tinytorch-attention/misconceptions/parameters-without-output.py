"""parameters() leaves out the output projection.

Anything missing from the list is never updated: here the optimizer trains everything except how to mix the heads. List
the weights and biases of all four projections.
"""


def list_parameters(module):
    layers = (module.q_proj, module.k_proj, module.v_proj)
    return [parameter for layer in layers for parameter in layer.parameters()]
