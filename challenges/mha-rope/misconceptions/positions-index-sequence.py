"""token_positions is used to pick tokens.

Positions say where the given tokens are; they determine angles and are not indices. Your code uses them to reorder the
sequence (modulo its length, where they are too large) and then counts 0, 1, 2, ...
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    seq, d_head = Q.shape[-2], Q.shape[-1]
    picked = make_room_for_heads(token_positions).remainder(seq)[..., None].expand_as(Q)
    counted = torch.arange(seq)
    return (*(rope(d_head, theta, max_seq_len, x.gather(-2, picked), counted) for x in (Q, K)), V)
