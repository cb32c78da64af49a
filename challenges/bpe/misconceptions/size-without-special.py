"""vocab_size does not count the special tokens.

The vocabulary comes out larger than was asked for, by the number of special tokens.
"""


def is_enough(vocab, merges, vocab_size):
    return 256 + len(merges) >= vocab_size
