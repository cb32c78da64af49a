"""Keys and values are swapped.

Queries are compared with the output of W_value, and the output of W_key is summed. Follow each name from its layer to
its use.
"""


def project_qkv(layer, x):
    return layer.W_query(x), layer.W_value(x), layer.W_key(x)
