"""The weight is used without its transpose.

The weight has one row for each output, so x has to be multiplied with its transpose. Where both sizes are equal, no
error tells.
"""


def applied(x, weight):
    return x @ weight
