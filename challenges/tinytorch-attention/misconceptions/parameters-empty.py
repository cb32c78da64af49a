"""parameters() lists nothing.

An optimizer with an empty list updates nothing. List the weights and biases of all four projections.
"""


def list_parameters(module):
    return []
