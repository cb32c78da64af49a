"""The attention weights are detached.

Queries and keys reach the result through the weights alone: without a gradient there, neither of their layers learns.
"""


def attend(layer, queries, keys, values):
    return drop(weigh(compare_tokens(queries, keys), layer), layer).detach() @ values
