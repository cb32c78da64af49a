"""Dropout falls on features instead of attention weights.

The attention weights are all kept, and features of the values, or of their weighted sum, are dropped instead. Dropout
comes between the two: after the softmax, on the weights, before the product with the values.
"""


def attend(layer, queries, keys, values):
    return layer.dropout(weigh(compare_tokens(queries, keys), layer) @ values)
