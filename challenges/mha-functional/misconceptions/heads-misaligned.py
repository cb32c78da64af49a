"""The {each} come from the next head.

Queries, keys and values must be matched head by head: head h compares its own queries with its own keys, and sums up
its own values.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def attend(Q, K, V, mask):
    Q, K, V = (x.roll(-1, dims=1) if place == each else x for place, x in enumerate((Q, K, V)))
    return weigh(Q, K, mask) @ V
