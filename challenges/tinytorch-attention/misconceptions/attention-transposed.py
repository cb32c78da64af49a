"""The weights are transposed before they are multiplied by the values.

Row i of the weights says how much query i takes from each key, so output i is row i times V. Transposed, a token gets
what other tokens wanted from it.
"""


def mix(weights, V):
    return weights.transpose(-2, -1) @ V
