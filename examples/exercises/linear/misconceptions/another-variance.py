"""The variance of the first values is that of {each}.

The variance asked for is 2 / (in_features + out_features), a compromise between what keeps activations and what keeps
gradients at their size.
"""

EACH = {
    "1 over the inputs": (1, 1, 0),
    "2 over the inputs": (2, 1, 0),
    "1 over the outputs": (1, 0, 1),
    "1 over the sum": (1, 1, 1),
}


def spread(in_features, out_features):
    above, inputs, outputs = each
    return math.sqrt(above / (inputs * in_features + outputs * out_features))
