"""The frequencies use d_model where d_head belongs.

The exponent is -2i/d_head, because each head is rotated over its own features. With d_model instead, all pairs of a
head except the first rotate too fast. Pass d_head to rope.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    positions = make_room_for_heads(token_positions).to(torch.float64)
    d_model, pairs = Q.shape[-1] * Q.shape[-3], Q.shape[-1] // 2
    angles = positions[..., None] * pair_frequencies(d_model, theta)[:pairs]
    return rotate_pairs(Q, angles), rotate_pairs(K, angles), V
