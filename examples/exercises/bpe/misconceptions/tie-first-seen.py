"""Of equally frequent pairs the one seen first is taken.

`max` by the count alone keeps the order of the dictionary, which depends on the text's order. Compare the pairs themselves as well.
"""


def best_pair(pairs):
    return max(pairs, key=lambda pair: pairs[pair])
