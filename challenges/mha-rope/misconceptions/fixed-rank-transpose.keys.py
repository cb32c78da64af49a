"""The keys are transposed by counting axes from the front.

transpose(2, 3) only transposes K correctly when it has four axes. Counted from the end, transpose(-2, -1), the same
line works for (batch, seq, d_k) and (batch, heads, seq, d_k).
"""


def compare(Q, K):
    return Q @ K.transpose(2, 3)
