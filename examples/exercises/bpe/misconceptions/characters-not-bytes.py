"""The symbols to begin with are characters, not bytes.

A letter beyond ASCII has several bytes, and only the 256 bytes are in the vocabulary. Encode the word first, then take it apart.
"""


def symbols(word):
    return tuple(letter.encode("utf-8") for letter in word)
