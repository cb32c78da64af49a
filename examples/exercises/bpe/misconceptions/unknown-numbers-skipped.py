"""Unknown numbers are skipped in decoding.

A number that is not in the vocabulary is a mistake somewhere, and should be told: KeyError.
"""


def decoded(vocab, ids):
    return b"".join(vocab.get(number, b"") for number in ids).decode("utf-8", errors="replace")
