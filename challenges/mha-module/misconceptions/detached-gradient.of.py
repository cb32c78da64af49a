"""No gradient flows back through the {each}.

detach(), .data and no_grad make a new tensor with no link to the original, so nothing before it can learn. Use the
layers and their results as they are.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def project_qkv(layer, x):
    projected = layer.W_query(x), layer.W_key(x), layer.W_value(x)
    return tuple(y.detach() if place == each else y for place, y in enumerate(projected))
