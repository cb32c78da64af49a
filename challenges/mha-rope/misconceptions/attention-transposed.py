"""The weights are transposed before they meet the values.

Row q of the weights says what query q takes from each key. Transposed, the keys give to the queries what the queries gave
to them: weights @ V, not weights.T @ V.
"""


def gather(weights, V):
    return weights.mT @ V
