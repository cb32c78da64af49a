"""The biases of queries, keys and values are left out.

A Linear layer computes x @ weight + bias. If you multiply by its weight yourself, you must also add the bias yourself;
calling the layer does both.
"""


def project_qkv(module, x):
    return x @ module.q_proj.weight, x @ module.k_proj.weight, x @ module.v_proj.weight
