"""Dropout falls on the values.

The attention weights are all kept, and single features of the values are dropped instead. Dropout comes after the softmax, on
the weights: what is left out is a token as a whole, for one query.
"""


def attend(layer, queries, keys, values):
    return weigh(compare_tokens(queries, keys), layer) @ layer.dropout(values)
