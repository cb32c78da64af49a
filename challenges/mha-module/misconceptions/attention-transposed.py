"""The weights are transposed before they are multiplied by the values.

Row i of the weights says how much query i takes from each key, so output i is row i times the values. Transposed, a
token gets what later tokens wanted from it.
"""


def attend(layer, queries, keys, values):
    return drop(weigh(compare_tokens(queries, keys), layer), layer).mT @ values
