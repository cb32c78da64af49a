"""One draw of dropout serves all {each}.

The mask of dropout is as large as the attention weights: each weight is dropped, or kept, by a draw of its own. Here it has
one entry for all {each}, and they lose the same ones.
"""

EACH = {"sequences": 0, "heads": 1, "queries": -2, "keys": -1}


def drop(weights, layer):
    shape = list(weights.shape)
    shape[each] = 1
    return weights * layer.dropout(weights.new_ones(shape))
