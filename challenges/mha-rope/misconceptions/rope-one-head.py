"""RoPE only rotates the {each}.

Positions matter to all heads: each of them rotates its queries and keys. rope handles all heads at once; there is no
need to index any of them.
"""

EACH = {"first head": 0, "last head": -1}


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    positions = make_room_for_heads(token_positions)
    turned = []
    for x in (Q, K):
        whole = rope(x.shape[-1], theta, max_seq_len, x, positions)
        is_turned = torch.zeros(x.shape[-3], 1, 1, dtype=torch.bool)
        is_turned[each] = True
        turned.append(torch.where(is_turned, whole, x))
    return *turned, V
