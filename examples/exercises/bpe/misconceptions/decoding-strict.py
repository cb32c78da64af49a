"""Bytes that are no text raise an exception.

A model may give any numbers. `errors="replace"` puts the replacement character where bytes are no text.
"""


def decoded(vocab, ids):
    return b"".join(vocab[number] for number in ids).decode("utf-8")
