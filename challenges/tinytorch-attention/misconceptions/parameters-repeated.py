"""parameters() lists a projection twice ({each}).

What stands in the list twice is updated twice. List weights and biases of all four projections, each once.
"""

EACH = {
    "out_proj for v_proj": (0, 1, 3, 3),
    "q_proj for k_proj": (0, 0, 2, 3),
    "v_proj for out_proj": (0, 1, 2, 2),
    "all of them": (0, 1, 2, 3, 0, 1, 2, 3),
}


def list_parameters(module):
    layers = (module.q_proj, module.k_proj, module.v_proj, module.out_proj)
    return [parameter for place in each for parameter in layers[place].parameters()]
