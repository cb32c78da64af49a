"""The queries turn backwards.

Queries and keys must turn the same way: then the angle between them depends on the distance of their positions. Turned
against each other, it depends on the sum. Use one rope for both.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    angles = pair_angles(Q.shape[-1], theta, make_room_for_heads(token_positions))
    return rotate_pairs(Q, -angles), rotate_pairs(K, angles), V
