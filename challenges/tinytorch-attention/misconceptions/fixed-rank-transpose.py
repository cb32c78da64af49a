"""The axes of the keys are counted from the front.

transpose(1, 2) swaps tokens and features only for (batch, seq, d). With an axis for the heads it swaps heads and
tokens. Count from the end: transpose(-2, -1).
"""


def score(Q, K):
    return Q @ K.transpose(1, 2)
