"""Only the queries get token_positions; the keys count from zero.

Distances come out right only when both sides use the same positions. Pass token_positions to both calls of rope.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    counted = torch.arange(Q.shape[-2])
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, counted), V
