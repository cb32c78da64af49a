"""Special tokens are trained on.

The text is not cut at them, so that pieces of them fill the vocabulary, and pairs are joined across them.
"""


def texts_to_train_on(text, special_tokens):
    return [text]
