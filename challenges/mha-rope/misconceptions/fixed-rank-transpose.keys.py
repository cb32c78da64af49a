"""The keys are transposed by counting axes from the front.

transpose(2, 3) turns K around only when it has four axes. Counted from the end, transpose(-2, -1), the same line serves
(batch, seq, d_k) and (batch, heads, seq, d_k).
"""


def compare(Q, K):
    return Q @ K.transpose(2, 3)
