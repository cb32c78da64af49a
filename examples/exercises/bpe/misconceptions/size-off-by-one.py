"""The vocabulary comes out one entry too small.

The loop ends one merge too early: it goes on as long as there are fewer than vocab_size entries.
"""


def merges_to_make(vocab_size, special_tokens):
    return vocab_size - 257 - len(special_tokens)
