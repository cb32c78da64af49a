"""One dropout mask is shared by all {each}.

Each attention weight is dropped or kept independently. nn.Dropout on the whole tensor of weights does that; Dropout1d,
Dropout2d or a mask that is broadcast drop many weights together.
"""

EACH = {"queries of a head": (-2,), "weights of a query": (-1,), "weights of a head": (-2, -1)}


def drop(weights, layer):
    shape = [1 if axis - weights.dim() in each else size for axis, size in enumerate(weights.shape)]
    return weights * layer.dropout(weights.new_ones(shape))
