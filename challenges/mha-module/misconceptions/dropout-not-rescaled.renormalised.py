"""What dropout leaves is divided by its sum again.

Then the weights of a row add up to one, which undoes the factor 1 / (1 - dropout). nn.Dropout does all that is needed: nothing
comes between it and the product with the values.
"""


def drop(weights, layer):
    dropped = layer.dropout(weights)
    return dropped / dropped.sum(dim=-1, keepdim=True).clamp(min=1e-12)
