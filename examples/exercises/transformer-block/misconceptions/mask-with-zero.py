"""Hidden scores are set to 0 instead of minus infinity.

exp(0) is 1, so later tokens still get a share of the attention.
"""


def hide_later(scores):
    return scores.tril()
