"""Dropout falls on the weights, and again on what the heads return.

Dropping attention weights is right. The second dropout takes features out of the weighted sum as well, so that more is
missing than dropout says. Once is enough: after the softmax, before the product with the values.
"""


def attend(layer, queries, keys, values):
    return layer.dropout(drop(weigh(compare_tokens(queries, keys), layer), layer) @ values)
