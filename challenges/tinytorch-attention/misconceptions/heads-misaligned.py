"""The {each} come from the next head.

Queries, keys and values must be matched head by head: head h compares its own queries with its own keys, and averages
its own values.
"""

EACH = {"keys": 1, "values": 2}


def attend(Q, K, V, mask):
    order = [(head + 1) % Q.shape[1] for head in range(Q.shape[1])]
    projected = [x[:, order] if place == each else x for place, x in enumerate((Q, K, V))]
    output, _ = scaled_dot_product_attention(*projected, mask)
    return output
