"""Tokens attend to later tokens.

Whoever sees the next token need not learn to predict it. What comes later has a weight of exactly zero.
"""


def hide_later(scores):
    return scores
