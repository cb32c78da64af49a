"""Positions are counted from the end.

Position 0 rotates nothing, and larger positions rotate further. When you count back from max_seq_len, every distance
changes sign.
"""


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return rotate_pairs(in_query_or_key, pair_angles(d_k, theta, max_seq_len - 1 - token_positions))
