"""Without token_positions, RoPE is left out.

None does not mean 'no positions': it means the default ones, 0 to seq-1. Create them with torch.arange, then apply RoPE
as usual.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    if token_positions is None:
        return Q, K, V
    positions = make_room_for_heads(token_positions)
    return tuple(rope(Q.shape[-1], theta, max_seq_len, x, positions) for x in (Q, K)) + (V,)


def resolve_positions(token_positions, x):
    return token_positions
