"""CausalAttention has no dropout.

The argument is taken and never used in this class: in training all its attention weights are kept, and so are those of
the wrapper that is made of it. Put nn.Dropout between the softmax and the product with the values here, too.
"""


def drop(weights, layer):
    return weights if isinstance(layer, CausalAttention) else layer.dropout(weights)
