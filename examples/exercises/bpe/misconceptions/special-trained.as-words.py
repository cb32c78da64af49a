"""Special tokens are trained on.

They are cut off from the text, but counted as texts of their own. Leave them out when you count: `re.split` with a group gives the separators too.
"""


def texts_to_train_on(text, special_tokens):
    return pieces(text, special_tokens)
