"""Axes of size 1 are dropped from the positions.

squeeze() without an axis removes all of them, even the token axis when there is one token. The positions of several
sequences then look like those of one sequence. Keep the axes of the positions as they are.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], torch.atleast_1d(token_positions.squeeze())
    if positions.dim() > 1:
        positions = positions.reshape(*Q.shape[:-3], 1, Q.shape[-2])
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions), V
