"""A vocab_size that is too small is accepted.

You check it against the 256 bytes alone. The special tokens need room too.
"""


def checked(vocab_size, special_tokens):
    if vocab_size < 256:
        raise ValueError("too small")
