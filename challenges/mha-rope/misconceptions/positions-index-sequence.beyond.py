"""token_positions is used to pick tokens.

Positions say where the given tokens are; they determine angles and are not indices. Your code uses them to index the
sequence, which fails when a position is beyond its end.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    seq, d_head = Q.shape[-2], Q.shape[-1]
    counted = torch.arange(seq)
    return (*(rope(d_head, theta, max_seq_len, x[..., token_positions, :], counted) for x in (Q, K)), V)
