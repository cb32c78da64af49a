"""The output weights are used untransposed.

Queries, keys and values are projected correctly, but the last step is merged @ W_O instead of merged @ W_O.T. All four
weights are stored the same way, (out, in).
"""


def project_output(merged, o_proj_weight):
    return merged @ o_proj_weight
