"""The tokens are changed.

They are the training set, and the next batch needs them as they are. Draw places, and leave the tokens alone.
"""


def rows(tokens, starts, context_length):
    ids = as_ids(at(tokens, window(starts, context_length)))
    tokens[:] = tokens[list(range(len(tokens)))[::-1]]
    return ids
