"""The {each} belong to the next head.

The heads of queries, keys and values must meet their own: head h compares its queries with its keys, and averages its
values.
"""

EACH = {"keys": 1, "values": 2}


def attend(Q, K, V, mask):
    order = [(head + 1) % Q.shape[1] for head in range(Q.shape[1])]
    projected = [x[:, order] if place == each else x for place, x in enumerate((Q, K, V))]
    output, _ = scaled_dot_product_attention(*projected, mask)
    return output
