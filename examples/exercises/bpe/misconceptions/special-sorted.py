"""Special tokens are numbered in another order than they are given.

They are sorted, by the alphabet or by their length. Sort a copy where you look for them in a text, and number them as given.
"""


def begun(special_tokens):
    tokens = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in in_order(special_tokens)]
    return dict(enumerate(tokens))
