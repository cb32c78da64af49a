"""Spaces are lost.

`split()` throws them away, and the text cannot be had back from its tokens. The pattern keeps each space, before the word that it belongs to.
"""


def words_of(piece):
    return piece.split()
