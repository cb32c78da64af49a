"""Queries and keys are not rotated.

Nothing tells the model in which order the tokens stand. RoPE turns the queries and keys of every block.
"""


def encode_positions(Q, K, V, theta):
    return Q, K, V
