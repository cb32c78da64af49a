"""One draw of dropout serves all {each}.

Each attention weight is dropped or kept by itself. nn.Dropout on the whole tensor of weights does that; Dropout1d,
Dropout2d, and a draw that is broadcast drop many together.
"""

EACH = {"queries of a head": (-2,), "weights of a query": (-1,), "weights of a head": (-2, -1)}


def drop(weights, layer):
    shape = [1 if axis - weights.dim() in each else size for axis, size in enumerate(weights.shape)]
    return weights * layer.dropout(weights.new_ones(shape))
