"""Only half of the gradient comes through the {each}.

The numbers are right, but part of them comes from a detached copy, and that part passes no gradient on. Use the {each}
as they come out of the projection.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    Q, K, V = ((x + x.detach()) / 2 if place == each else x for place, x in enumerate((Q, K, V)))
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions), V
