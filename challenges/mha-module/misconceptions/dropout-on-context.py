"""Dropout is applied to features instead of attention weights.

All attention weights are kept, and features of the values, or of their weighted sum, are dropped instead. Apply dropout
to the weights: after the softmax, before the product with the values.
"""


def attend(layer, queries, keys, values):
    return layer.dropout(weigh(compare_tokens(queries, keys), layer) @ values)
