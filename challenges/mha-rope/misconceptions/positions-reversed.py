"""Positions are counted from the end.

Position 0 turns nothing, and larger positions turn further. Counted back from max_seq_len, every distance changes its
sign.
"""


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return rotate_pairs(in_query_or_key, pair_angles(d_k, theta, max_seq_len - 1 - token_positions))
