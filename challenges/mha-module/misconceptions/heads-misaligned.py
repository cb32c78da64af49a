"""The {each} come from the next head.

Queries, keys and values must be matched head by head: head h compares its own queries with its own keys, and averages
its own values.
"""

EACH = {"keys": 1, "values": 2}


def attend_in_heads(layer, queries, keys, values):
    split = [split_heads(x, layer) for x in (queries, keys, values)]
    return attend(layer, *(x.roll(1, dims=1) if place == each else x for place, x in enumerate(split)))
