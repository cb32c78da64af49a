"""Special tokens are encoded as text.

Each has a number of its own. Cut the text at them first, as in training.
"""


def encoded(tokenizer, text):
    ids = []
    for word in words_of(text):
        ids.extend(tokenizer.numbers[token] for token in merged(symbols(word), tokenizer.ranks))
    return ids
