"""The result of the heads is scaled as well.

Scores are divided by the root of head_dim so that the softmax gets numbers of a reasonable size. The weighted sum of
the values is an average and needs no scaling.
"""


def attend(layer, queries, keys, values):
    return drop(weigh(compare_tokens(queries, keys), layer), layer) @ values / math.sqrt(layer.head_dim)
