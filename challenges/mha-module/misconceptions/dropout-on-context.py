"""Dropout falls on what the heads return.

The attention weights are all kept, and features of the weighted sum are dropped instead. Dropout comes one step
earlier: after the softmax, before the product with the values.
"""


def attend(layer, queries, keys, values):
    return layer.dropout(weigh(compare_tokens(queries, keys), layer) @ values)
