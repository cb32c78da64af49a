"""The heads of the {each} are one place off.

Head h of the queries meets head h of the keys and of the values, each with features h*head_dim to (h+1)*head_dim. Leave the
heads in the order in which they are cut.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def attend_in_heads(layer, *projected):
    heads = [split_heads(x, layer) for x in projected]
    heads[each] = heads[each].roll(1, dims=1)
    return attend(layer, *heads)
