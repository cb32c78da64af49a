"""Each token is decoded by itself.

A character may be spread over several tokens, of which none is text alone. Put the bytes together first.
"""


def decoded(vocab, ids):
    return "".join(vocab[number].decode("utf-8", errors="replace") for number in ids)
