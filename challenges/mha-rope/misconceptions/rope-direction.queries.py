"""The queries rotate backwards.

Queries and keys must rotate the same way: then the angle between them depends on the distance between their positions.
If they rotate in opposite directions, it depends on the sum. Use the same rope for both.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    angles = pair_angles(Q.shape[-1], theta, make_room_for_heads(token_positions))
    return rotate_pairs(Q, -angles), rotate_pairs(K, angles), V
