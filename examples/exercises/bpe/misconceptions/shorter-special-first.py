"""Of two special tokens that begin at one place, the one given first counts.

A regular expression takes the first alternative that fits. Put the longer ones first.
"""


def in_order(special_tokens):
    return list(special_tokens)
