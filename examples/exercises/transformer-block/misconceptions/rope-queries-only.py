"""Only the queries are rotated.

A score depends on the distance of two tokens only if both are turned by their positions.
"""


def encode_positions(Q, K, V, positions, theta):
    return rotate(Q, pair_angles(make_room_for_heads(positions), Q.shape[-1], theta)), K, V
