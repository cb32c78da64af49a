"""The scale is applied twice.

The scores are divided by the root of head_dim once. What the softmax gives, or the queries and keys before they meet, are not
divided again.
"""


def attend(layer, queries, keys, values):
    return scale(drop(weigh(compare_tokens(queries, keys), layer), layer) @ values, layer)
