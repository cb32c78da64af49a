"""x is overwritten.

x belongs to the caller. A method whose name ends in an underscore, +=, or an assignment to a slice changes it for
everyone, and the backward pass may fail. Make a new tensor instead.
"""


def project_qkv(layer, x):
    projected = layer.W_query(x), layer.W_key(x), layer.W_value(x)
    x.zero_()
    return projected
