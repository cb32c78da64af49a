"""Special tokens are not in the vocabulary.

They are tokens like others, and a text that holds one needs a number for it.
"""


def begun(special_tokens):
    return {byte: bytes([byte]) for byte in range(256)}
