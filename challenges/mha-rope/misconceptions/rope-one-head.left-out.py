"""RoPE leaves out the {each}.

Positions matter to all heads: each of them rotates its queries and keys. rope handles all heads at once; there is no
need to index any of them.
"""

EACH = {
    "first head": ((0, 1), 0),
    "last head": ((0, 1), -1),
    "queries of the first head": ((0,), 0),
    "queries of the last head": ((0,), -1),
    "keys of the first head": ((1,), 0),
    "keys of the last head": ((1,), -1),
}


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    left, head = each
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    is_left = torch.zeros(Q.shape[-3], 1, 1, dtype=torch.bool)
    is_left[head] = True
    turned = [rope(d_head, theta, max_seq_len, x, positions) for x in (Q, K)]
    Q, K = (torch.where(is_left & (place in left), x, turned[place]) for place, x in enumerate((Q, K)))
    return Q, K, V
