"""A pair is joined only where it stands first in a word.

Go on to the end of the word: it may stand there again.
"""


def joined(word, pair):
    for place in range(len(word) - 1):
        if word[place : place + 2] == pair:
            return (*word[:place], pair[0] + pair[1], *word[place + 2 :])
    return word
