"""Words that become equal replace each other.

Two words that are cut up in different ways may become equal; here, words of one form overwrite each other's count. Add the counts.
"""


def counted(text, special_tokens):
    words = Counter()
    for piece in texts_to_train_on(text, special_tokens):
        words |= Counter(symbols(word) for word in words_of(piece))
    return words
