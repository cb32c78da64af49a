"""Pairs that overlap are counted once.

In `aaa` the pair (a, a) stands at two places, and both count. Only when it is joined does one of them go away.
"""


def pairs_in(words):
    pairs = Counter()
    for word, times in words.items():
        place = 0
        while place + 1 < len(word):
            pairs[word[place : place + 2]] += times
            is_run = word[place : place + 2] == word[place + 1 : place + 3]
            place += 2 if is_run else 1
    return pairs
