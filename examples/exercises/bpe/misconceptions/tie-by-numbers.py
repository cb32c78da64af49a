"""Of equally frequent pairs the one with the larger token numbers is taken.

Numbers of merged tokens grow with time, and say nothing about their bytes. Compare the bytes.
"""


def best_pair(pairs):
    return max(pairs, key=lambda pair: (pairs[pair], [(len(part) > 1, part) for part in pair]))
