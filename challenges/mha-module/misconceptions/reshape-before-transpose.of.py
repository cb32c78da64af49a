"""The {each} are split into heads by a reshape alone.

A reshape keeps all numbers in the same order. If you reshape straight to (batch, heads, tokens, head_dim), the first
head gets whole tokens from the start instead of its share of every token. First split the last axis, then swap two
axes.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def attend_in_heads(layer, queries, keys, values):
    split = [split_heads(x, layer) for x in (queries, keys, values)]
    whole = (queries, keys, values)[each]
    split[each] = whole.reshape(len(whole), layer.num_heads, -1, layer.head_dim)
    return attend(layer, *split)
