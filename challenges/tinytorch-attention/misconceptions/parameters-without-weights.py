"""parameters() leaves out the weights.

A Linear layer has two things to learn, weight and bias; its own parameters() gives both. What is not in the list is
never updated.
"""


def list_parameters(module):
    return [layer.bias for layer in (module.q_proj, module.k_proj, module.v_proj, module.out_proj)]
