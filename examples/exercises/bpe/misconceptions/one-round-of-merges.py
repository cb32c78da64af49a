"""Only one merge is made in each word.

Go on until none is possible: what one merge makes may be half of the next.
"""


def merged(word, ranks):
    possible = [pair for pair in zip(word, word[1:]) if pair in ranks]
    return joined(word, min(possible, key=ranks.__getitem__)) if possible else word
