"""token_positions is used to pick tokens.

Positions say where the tokens stand that you were given; they are factors of angles, not indices. Your code picks
entries of the sequence by them, which ends where a position is larger than the sequence is long.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    seq, d_head = Q.shape[-2], Q.shape[-1]
    counted = torch.arange(seq)
    return (*(rope(d_head, theta, max_seq_len, x[..., token_positions, :], counted) for x in (Q, K)), V)
