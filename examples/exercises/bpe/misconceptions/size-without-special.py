"""vocab_size does not count the special tokens.

The vocabulary comes out larger than was asked for, by the number of special tokens.
"""


def merges_to_make(vocab_size, special_tokens):
    return vocab_size - 256
