"""Divides before it takes the exponential."""


def new_function(x):
    return (x - x.logsumexp(-1, True)).exp()
