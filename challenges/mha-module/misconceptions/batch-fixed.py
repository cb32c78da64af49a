"""The batch has a fixed size.

A number of sequences is written into the code, so that another batch does not fit, or is cut up wrongly. Read
the batch from the shape of x.
"""


def split_heads(x, layer):
    return x.reshape(2, -1, layer.num_heads, layer.head_dim).transpose(1, 2)
