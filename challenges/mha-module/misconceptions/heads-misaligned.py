"""The {each} belong to the next head.

The heads of queries, keys and values must meet their own: head h compares its queries with its keys, and averages its
values.
"""

EACH = {"keys": 1, "values": 2}


def attend_in_heads(layer, queries, keys, values):
    split = [split_heads(x, layer) for x in (queries, keys, values)]
    return attend(layer, *(x.roll(1, dims=1) if place == each else x for place, x in enumerate(split)))
