"""vocab_size is taken as the number of merges.

It counts all entries of the vocabulary: the bytes and the special tokens too.
"""


def merges_to_make(vocab_size, special_tokens):
    return vocab_size
