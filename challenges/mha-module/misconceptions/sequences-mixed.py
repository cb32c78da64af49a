"""All sequences use the {each} of the first one.

Sequences of a batch have nothing to do with each other: each has queries, keys and values of its own. Mind the axis of the
batch, where an index or a broadcast takes only the first.
"""

EACH = {"queries": (0,), "keys": (1,), "values": (2,), "keys and values": (1, 2)}


def attend(layer, *projected):
    queries, keys, values = (x[:1].expand_as(x) if place in each else x for place, x in enumerate(projected))
    return drop(weigh(compare_tokens(queries, keys), layer), layer) @ values
