"""A window may begin one place too late.

Its last target would be a token after the end, so now and then a row comes out too short, or an index is out of range. Count the tokens that a window and its targets need.
"""


def starts_in(tokens, context_length):
    return len(tokens) - context_length + 1
