"""The features of the {each} are interleaved across the heads.

Head h owns the features h*head_dim to (h+1)*head_dim, of queries, keys and values alike: in the reshape, put the axis
of the heads before the axis of their features.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def every_nth(x):
    batch, heads, seq, head_dim = x.shape
    return merge_heads(x).reshape(batch, seq, head_dim, heads).transpose(2, 3).transpose(1, 2)


def attend(Q, K, V, mask):
    projected = [every_nth(x) if place == each else x for place, x in enumerate((Q, K, V))]
    output, _ = scaled_dot_product_attention(*projected, mask)
    return output
