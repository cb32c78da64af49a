"""Special tokens are taken out, and what stood around them is joined.

Two texts become one: the last word of the first and the first word of the second are then one word. Cut the text there.
"""


def texts_to_train_on(text, special_tokens):
    return ["".join(piece for piece in pieces(text, special_tokens) if piece not in special_tokens)]
