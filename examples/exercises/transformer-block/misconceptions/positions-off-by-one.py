"""Keys are rotated one position further than queries.

Queries and keys of one token are turned by the same angle.
"""


def encode_positions(Q, K, V, positions, theta):
    at = make_room_for_heads(positions)
    return rotate(Q, pair_angles(at, Q.shape[-1], theta)), rotate(K, pair_angles(at + 1, Q.shape[-1], theta)), V
