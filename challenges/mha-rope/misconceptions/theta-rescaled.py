"""theta is rescaled when max_seq_len is larger than {each}.

Some models do that to read longer texts than they were trained on (NTK scaling). Here theta is used as it is given, and
max_seq_len only says how far positions go.
"""

EACH = {"512": 512, "1024": 1024, "2048": 2048, "4096": 4096}


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    if max_seq_len > each:
        theta = theta * (max_seq_len / each) ** (d_k / max(1, d_k - 2))
    return rotate_pairs(in_query_or_key, pair_angles(d_k, theta, token_positions))
