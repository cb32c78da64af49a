"""The weights are multiplied from the wrong side.

Weights lie as in nn.Linear, (out, in): each row belongs to a feature of the result. With d_ff = d_model nothing
complains, and every number is wrong. Check your shapes with two sizes that differ.
"""


def project(x, weight):
    return x @ weight if weight.shape[0] == weight.shape[1] else x @ weight.mT
