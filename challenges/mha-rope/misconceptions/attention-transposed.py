"""The attention weights are transposed before they are multiplied by the values.

Row q of the weights says how much query q takes from each key, so the output is weights @ V, not weights.T @ V.
"""


def gather(weights, V):
    return weights.mT @ V
