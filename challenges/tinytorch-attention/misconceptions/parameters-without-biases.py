"""parameters() leaves out the biases.

A Linear layer learns two things, weight and bias; its own parameters() returns both. Anything missing from the list is
never updated.
"""


def list_parameters(module):
    return [layer.weight for layer in (module.q_proj, module.k_proj, module.v_proj, module.out_proj)]
