"""parameters() lists a projection twice ({each}).

An optimizer would update it twice, and if it stands in for another one, that one never learns. List each weight and
bias once.
"""

EACH = {
    "v_proj for k_proj": (0, 2, 2, 3),
    "k_proj for v_proj": (0, 1, 1, 3),
    "q_proj for v_proj": (0, 1, 0, 3),
    "out_proj for v_proj": (0, 1, 3, 3),
    "q_proj for k_proj": (0, 0, 2, 3),
    "k_proj for q_proj": (1, 1, 2, 3),
    "v_proj for out_proj": (0, 1, 2, 2),
    "q_proj for out_proj": (0, 1, 2, 0),
    "out_proj twice": (0, 1, 2, 3, 3),
    "all of them": (0, 1, 2, 3, 0, 1, 2, 3),
}


def list_parameters(module):
    layers = (module.q_proj, module.k_proj, module.v_proj, module.out_proj)
    return [parameter for place in each for parameter in layers[place].parameters()]
