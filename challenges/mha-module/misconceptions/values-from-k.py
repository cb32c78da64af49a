"""The weights are applied to the keys.

The keys are there to be found by; what a token hands over are its values. Multiply the weights by the values.
"""


def attend(layer, queries, keys, values):
    return drop(weigh(compare_tokens(queries, keys), layer), layer) @ keys
