"""The list of special tokens is changed.

`sort()` sorts the caller's list. `sorted` makes a new one.
"""


def in_order(special_tokens):
    if isinstance(special_tokens, list):
        special_tokens.sort(key=len, reverse=True)
    return sorted(special_tokens, key=len, reverse=True)


def begun(special_tokens):
    tokens = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    in_order(special_tokens)
    return dict(enumerate(tokens))


def texts_to_train_on(text, special_tokens):
    given = tuple(special_tokens)
    return [piece for piece in pieces(text, given) if piece not in given]
