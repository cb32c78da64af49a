"""Positions are divided by max_seq_len.

RoPE uses positions as they are: one step rotates the first pair by one radian. With positions scaled to between 0 and
1, hardly anything rotates, and the result depends on max_seq_len, which it must not.
"""


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return rotate_pairs(in_query_or_key, pair_angles(d_k, theta, token_positions / max_seq_len))
