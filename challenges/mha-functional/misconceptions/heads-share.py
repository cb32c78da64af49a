"""All heads use the {each} of the first one.

Each head has queries, keys and values of its own; sharing them is a different kind of attention, with a single head for
keys and values.
"""

EACH = {"queries": (0,), "keys": (1,), "values": (2,), "keys and values": (1, 2)}


def attend(Q, K, V, mask):
    Q, K, V = (x[:, :1].expand_as(x) if place in each else x for place, x in enumerate((Q, K, V)))
    return weigh(Q, K, mask) @ V
