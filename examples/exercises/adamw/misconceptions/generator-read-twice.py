"""The parameters are read again in each step.

A generator can be read once: after the first loop over it there is nothing left. Keep a list in the constructor.
"""


def kept(params):
    return params
