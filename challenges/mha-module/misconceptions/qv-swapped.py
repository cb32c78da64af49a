"""Queries and values are exchanged.

The values ask, and the queries are summed. Follow each name from its layer to its use.
"""


def project_qkv(layer, x):
    return layer.W_value(x), layer.W_key(x), layer.W_query(x)
