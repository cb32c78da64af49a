"""A vocab_size that is too small is accepted.

The vocabulary then has more entries than were asked for. Raise ValueError.
"""


def checked(vocab_size, special_tokens):
    pass
