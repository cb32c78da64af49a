"""An eps of 0 is taken for one that was left out.

Python takes 0 for false, so `eps or 1e-8` is never 0. Zero is allowed: give the parameter its default instead.
"""


def move(parameter, mean, square, lr, eps):
    parameter.sub_(lr * mean / (square.sqrt() + (eps or 1e-8)))
