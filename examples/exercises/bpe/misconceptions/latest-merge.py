"""The merge that was learned last is made first.

Later merges are made of earlier ones: begin with the earliest.
"""


def merged(word, ranks):
    while True:
        possible = [pair for pair in zip(word, word[1:]) if pair in ranks]
        if not possible:
            return word
        word = joined(word, max(possible, key=ranks.__getitem__))
