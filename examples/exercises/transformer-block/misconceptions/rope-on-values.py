"""RoPE is applied to the values too.

Queries and keys are rotated, so that scores depend on distances. Values are what is handed on, and stay as they are.
"""


def encode_positions(Q, K, V, positions, theta):
    angles = pair_angles(make_room_for_heads(positions), Q.shape[-1], theta)
    return rotate(Q, angles), rotate(K, angles), rotate(V, angles)
