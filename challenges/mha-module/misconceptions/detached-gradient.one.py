"""The {each} are detached.

No gradient flows back through the {each}: what makes them never learns. Leave out detach(), .data and no_grad between x and
the result.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def attend(layer, *projected):
    queries, keys, values = (x.detach() if place == each else x for place, x in enumerate(projected))
    return drop(weigh(compare_tokens(queries, keys), layer), layer) @ values
