"""A word counts once, however often it occurs.

What is frequent in the text is then not what is merged first. Multiply each pair by the times that its word occurs.
"""


def pairs_in(words):
    pairs = Counter()
    for word in words:
        for pair in zip(word, word[1:]):
            pairs[pair] += 1
    return pairs
