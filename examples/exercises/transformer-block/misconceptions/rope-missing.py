"""Nothing is rotated: the attention does not know where tokens stand.

RoPE belongs between the split into heads and the scores.
"""


def encode_positions(Q, K, V, positions, theta):
    return Q, K, V
