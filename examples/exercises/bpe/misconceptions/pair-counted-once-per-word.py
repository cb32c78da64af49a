"""A pair counts once in each word, however often it stands there.

In `banana` the pair (a, n) stands twice.
"""


def pairs_in(words):
    pairs = Counter()
    for word, times in words.items():
        for pair in set(zip(word, word[1:])):
            pairs[pair] += times
    return pairs
