"""The {each} are split into heads by a reshape alone.

A reshape to (batch, heads, seq, head_dim) keeps all numbers in the same order, so each head gets whole tokens from one
part of the sequence. First reshape to (batch, seq, heads, head_dim), then swap axes 1 and 2.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def attend(Q, K, V, mask):
    projected = [merge_heads(x).reshape(*x.shape) if place == each else x for place, x in enumerate((Q, K, V))]
    output, _ = scaled_dot_product_attention(*projected, mask)
    return output
