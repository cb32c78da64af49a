"""The biases of queries, keys and values are left out.

A Linear layer computes x @ weight + bias. Where its weight is multiplied by hand, the bias must be added by hand, too;
calling the layer does both.
"""


def project_qkv(module, x):
    return x @ module.q_proj.weight, x @ module.k_proj.weight, x @ module.v_proj.weight
