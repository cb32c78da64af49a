"""Special tokens are numbered before the bytes.

The spec numbers the 256 bytes first, from 0 to 255, so that a byte is its own number.
"""


def begun(special_tokens):
    tokens = [token.encode("utf-8") for token in special_tokens] + [bytes([byte]) for byte in range(256)]
    return dict(enumerate(tokens))
