"""Keys and values are exchanged.

Queries are compared with what W_value gives, and what W_key gives is summed. Follow each name from its layer to
its use.
"""


def project_qkv(layer, x):
    return layer.W_query(x), layer.W_value(x), layer.W_key(x)
