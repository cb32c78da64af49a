"""x is detached.

The layers learn, and whatever gave x does not: no gradient reaches it. Use x as it comes.
"""


def project_qkv(layer, x):
    return layer.W_query(x.detach()), layer.W_key(x.detach()), layer.W_value(x.detach())
