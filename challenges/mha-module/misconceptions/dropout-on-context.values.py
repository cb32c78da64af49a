"""Dropout is applied to the values instead of the attention weights.

Features of the values are dropped, and all attention weights are kept. Apply dropout to the weights: after the softmax,
before the product with the values.
"""


def attend(layer, queries, keys, values):
    return weigh(compare_tokens(queries, keys), layer) @ layer.dropout(values)
