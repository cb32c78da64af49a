"""All heads use the {each} of the first one.

Each head has queries, keys and values of its own; sharing them is a different kind of attention, with a single head for
keys and values.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def attend(Q, K, V, mask):
    first = [0] * Q.shape[1]
    projected = [x[:, first] if place == each else x for place, x in enumerate((Q, K, V))]
    output, _ = scaled_dot_product_attention(*projected, mask)
    return output
