"""Axes of size 1 are dropped from the positions.

squeeze() without an axis takes all of them away: the tokens' axis where there is one token. The sequences' positions then look
like the positions of one sequence. Positions keep the axes that they have.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], torch.atleast_1d(token_positions.squeeze())
    if positions.dim() > 1:
        positions = positions.reshape(*Q.shape[:-3], 1, Q.shape[-2])
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions), V
