"""The values are the queries.

What a token looks for and what it passes on are two different things, each with its own projection. Here the queries
are summed, and W_value has no effect.
"""


def project_qkv(layer, x):
    return layer.W_query(x), layer.W_key(x), layer.W_query(x)
