"""The {each} belong to the next head.

The heads of queries, keys and values must meet their own: head h compares its queries with its keys, and sums up its values.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def attend(Q, K, V, mask):
    Q, K, V = (x.roll(-1, dims=1) if place == each else x for place, x in enumerate((Q, K, V)))
    return weigh(Q, K, mask) @ V
