"""Dropout falls on the values instead of the attention weights.

Features of the values are dropped, and the attention weights are all kept. Dropout comes after the softmax, on the weights,
before the product with the values.
"""


def attend(layer, queries, keys, values):
    return weigh(compare_tokens(queries, keys), layer) @ layer.dropout(values)
