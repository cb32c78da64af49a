"""RoPE is applied to the {each} twice.

Rotated twice, every token seems to be at double its position, on one of the two sides. Look for a second call, or for a
name that already holds the rotated tensor.
"""

EACH = {"queries": 0, "keys": 1}


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    turned = [rope(d_head, theta, max_seq_len, x, positions) for x in (Q, K)]
    turned[each] = rope(d_head, theta, max_seq_len, turned[each], positions)
    return *turned, V
