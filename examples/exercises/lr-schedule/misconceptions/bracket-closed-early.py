"""Half of one is added, not half of the sum.

1/2 stands before the bracket: it halves the cosine as well. Yours goes from 1.5 to -0.5.
"""


def falling(share):
    return 0.5 + math.cos(math.pi * share)
