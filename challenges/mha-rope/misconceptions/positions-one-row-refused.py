"""One row of positions is not accepted for several sequences.

Positions of shape (1, seq) apply to all sequences of the batch, by broadcasting. There are too few of them to reshape
to the leading axes of in_features. Add an axis for the heads with unsqueeze(-2), and leave the others alone.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], token_positions
    if positions.dim() > 1:
        positions = positions.reshape(*Q.shape[:-3], 1, Q.shape[-2])
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions), V
