"""parameters() leaves out the output projection.

What is not in the list is never updated: an optimizer learns everything but how to mix the heads. List weights and biases
of all four projections.
"""


def list_parameters(module):
    layers = (module.q_proj, module.k_proj, module.v_proj)
    return [parameter for layer in layers for parameter in layer.parameters()]
