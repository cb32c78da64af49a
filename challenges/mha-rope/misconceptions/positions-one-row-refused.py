"""One row of positions does not serve several sequences.

Positions of shape (1, seq) hold for all sequences of the batch, by broadcasting. Reshaped to the leading axes of in_features they
are too few. Put an axis for the heads in, unsqueeze(-2), and leave the others.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], token_positions
    if positions.dim() > 1:
        positions = positions.reshape(*Q.shape[:-3], 1, Q.shape[-2])
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions), V
