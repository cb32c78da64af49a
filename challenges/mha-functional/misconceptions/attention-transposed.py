"""The weights are transposed before they are multiplied by the values.

Row i of the weights says what query i takes from each key, so output i is row i times V. Transposed, a token gets what
other tokens wanted from it.
"""


def attend(Q, K, V, mask):
    return weigh(Q, K, mask).mT @ V
