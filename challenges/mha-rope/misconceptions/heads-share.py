"""All heads use the {each} of the first one.

Each head has queries, keys and values of its own; sharing them between heads is a different kind of attention, such as
multi-query attention.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    Q, K, V = (x[..., :1, :, :].expand(x.shape) if place == each else x for place, x in enumerate((Q, K, V)))
    d_head = Q.shape[-1]
    positions = make_room_for_heads(token_positions)
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions), V
