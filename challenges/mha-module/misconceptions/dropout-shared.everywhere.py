"""One dropout mask is shared by all heads and sequences.

Each attention weight is dropped or kept independently. nn.Dropout on the whole tensor of weights does that; a mask of
shape (tokens, tokens) is broadcast, and drops the same weights everywhere.
"""


def drop(weights, layer):
    return weights * layer.dropout(weights.new_ones(weights.shape[-2:]))
