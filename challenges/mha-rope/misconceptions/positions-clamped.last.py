"""The last position is rotated like the one before it.

The table is one row too short, and larger positions are clamped. Positions go up to max_seq_len - 1, so a table has
max_seq_len rows.
"""


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    last = max(max_seq_len - 2, 0)
    return rotate_pairs(in_query_or_key, pair_angles(d_k, theta, token_positions.clamp(max=last)))
