"""Special tokens are numbered in another order than they are given.

They are numbered in the order of the alphabet; the spec numbers them as given.
"""


def begun(special_tokens):
    tokens = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in sorted(special_tokens)]
    return dict(enumerate(tokens))
