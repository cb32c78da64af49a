"""forward changes the weights of the {each}.

Weights are changed by the optimizer, between calls. What forward clamps, normalises or scales in place is saved so, and is the
next call's starting point: work on a copy that stays in the graph, or leave the weights alone.
"""

EACH = {"queries": "W_query", "keys": "W_key", "values": "W_value"}


def project_qkv(layer, x):
    getattr(layer, each).weight.data.clamp_(-1, 1)
    return layer.W_query(x), layer.W_key(x), layer.W_value(x)
