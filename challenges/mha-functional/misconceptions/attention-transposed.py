"""The weights are turned round before they meet the values.

Row i of the weights says what query i takes from each key, so output i is row i times V. Turned round, a token is given what
others wanted of it.
"""


def attend(Q, K, V, mask):
    return weigh(Q, K, mask).mT @ V
