"""Pairs are counted across words.

The text is not cut into words before training, so that a token may hold the end of one word and the beginning of the next. Cut it by the pattern.
"""


def words_of(piece):
    return [piece] if piece else []
