"""Queries and keys are exchanged.

The rows of the score matrix are to be queries and its columns keys. Here it is the other way round, so every
token asks with its key.
"""


def compare_tokens(queries, keys):
    return keys @ queries.mT
