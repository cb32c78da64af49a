"""The vocabulary comes out one entry too small.

The loop ends one merge too early: it goes on as long as there are fewer than vocab_size entries.
"""


def is_enough(vocab, merges, vocab_size):
    return len(vocab) >= vocab_size - 1
