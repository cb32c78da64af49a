"""Positions are compressed when max_seq_len is larger than {each}.

Some models do that to read longer texts than they were trained on (position interpolation). Here an angle is the
position times the frequency, and max_seq_len only says how far positions go.
"""

EACH = {"512": 512, "1024": 1024, "2048": 2048, "4096": 4096}


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    squeezed = token_positions * (each / max(max_seq_len, each))
    return rotate_pairs(in_query_or_key, pair_angles(d_k, theta, squeezed))
