"""parameters() lists nothing.

An optimizer that is given an empty list updates nothing. List weights and biases of all four projections.
"""


def list_parameters(module):
    return []
