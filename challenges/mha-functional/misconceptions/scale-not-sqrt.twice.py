"""The scores are scaled twice.

They are divided by sqrt(d_head) in one place and again in another, so by d_head in total. Once is enough, either on the
queries or on the scores.
"""


def scale(scores, d_head):
    return scores / math.sqrt(d_head) / math.sqrt(d_head)
