"""The result of the heads is scaled, too.

Scores are divided by the root of head_dim, so that the softmax gets numbers of a usual size. The sum of the values is
an average, and needs no scale.
"""


def attend(layer, queries, keys, values):
    return drop(weigh(compare_tokens(queries, keys), layer), layer) @ values / math.sqrt(layer.head_dim)
