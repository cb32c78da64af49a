"""All sequences use the {each} of the first one.

The sequences of a batch are independent of each other: each has its own queries, keys and values. Check the batch axis:
an index or a broadcast may be using only the first.
"""

EACH = {"queries": (0,), "keys": (1,), "values": (2,), "keys and values": (1, 2)}


def attend(layer, *projected):
    queries, keys, values = (x[:1].expand_as(x) if place in each else x for place, x in enumerate(projected))
    return drop(weigh(compare_tokens(queries, keys), layer), layer) @ values
