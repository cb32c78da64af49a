"""Queries and keys count their positions differently.

One of them starts one later, so every distance is off by one: a token seems to be next to itself. Give both sides the
same positions.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions + 1), V
