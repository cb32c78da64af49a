"""RoPE turns the wrong way in the keys.

Both are turned counter-clockwise: then only the difference of two positions matters.
"""


def encode_positions(Q, K, V, positions, theta):
    angles = pair_angles(make_room_for_heads(positions), Q.shape[-1], theta)
    return rotate(Q, angles), rotate(K, -angles), V
