"""The queries are the keys.

Keys are compared with keys, and W_query has no effect, so a token tends to match itself best.
"""


def project_qkv(layer, x):
    return layer.W_key(x), layer.W_key(x), layer.W_value(x)
