"""The keys are the turned queries, turned once more.

Where the keys should be turned stands the name of the queries, which are turned already: k_proj_weight has no say then. Turn what
was projected with it, once.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    turned = rope(d_head, theta, max_seq_len, Q, positions)
    return turned, rope(d_head, theta, max_seq_len, turned, positions), V
