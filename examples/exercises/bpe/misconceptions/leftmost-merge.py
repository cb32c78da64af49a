"""The merge that stands first in the word is made first.

The order is that of learning: of all merges that are possible in the word, the earliest learned comes first.
"""


def merged(word, ranks):
    while True:
        possible = [pair for pair in zip(word, word[1:]) if pair in ranks]
        if not possible:
            return word
        word = joined(word, possible[0])
