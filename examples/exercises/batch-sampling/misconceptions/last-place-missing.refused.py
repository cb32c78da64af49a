"""No window begins at the last place.

Of context_length + 1 tokens, there is one window, and yours finds none. Where you draw below a bound, the bound itself does not come.
"""


def starts_in(tokens, context_length):
    return len(tokens) - context_length - 1
