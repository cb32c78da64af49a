"""forward changes the weights of the {each}.

Only the optimizer should change weights, between calls. If forward clamps, normalises or scales them in place, the
change is saved and carries over to the next call. Work on a new tensor that stays in the graph, or leave the weights
alone.
"""

EACH = {"queries": "W_query", "keys": "W_key", "values": "W_value"}


def project_qkv(layer, x):
    getattr(layer, each).weight.data.clamp_(-1, 1)
    return layer.W_query(x), layer.W_key(x), layer.W_value(x)
