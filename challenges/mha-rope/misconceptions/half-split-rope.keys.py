"""The keys are rotated as two halves, the queries in neighbouring pairs.

Each is a valid rotation by itself, but a query and a key can only be compared when the same features are rotated
together. Use the same rope for both, with the pairs (2i, 2i+1).
"""


def turn_halves(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, first * sin + second * cos), dim=-1)


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    angles = pair_angles(Q.shape[-1], theta, make_room_for_heads(token_positions))
    return rotate_pairs(Q, angles), turn_halves(K, angles), V
