"""The exponent has the wrong sign.

Your gate closes where z is large and opens where it is far below zero. What is the sigmoid of a large number?
"""


def silu(z):
    return z * torch.sigmoid(-z)
