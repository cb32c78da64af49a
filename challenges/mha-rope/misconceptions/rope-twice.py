"""RoPE is applied twice.

Rotated twice, every token seems to be at double its position. Look for a second call, perhaps in a helper.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head = Q.shape[-1]
    positions = make_room_for_heads(token_positions)
    for _ in range(2):
        Q, K = (rope(d_head, theta, max_seq_len, x, positions) for x in (Q, K))
    return Q, K, V
