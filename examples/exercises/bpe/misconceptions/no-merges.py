"""Encoding makes no merges.

Every byte stays a token of its own. Make the merges in their order.
"""


def merged(word, ranks):
    return word
