"""The {each} are interleaved across the heads; the others are not.

Head h owns the features h*head_dim to (h+1)*head_dim, of queries, keys and values alike. Yours are split in two
different ways: use one function for all three.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def attend_in_heads(layer, queries, keys, values):
    split = [
        x.unflatten(-1, (layer.head_dim, layer.num_heads)).movedim(-1, 1) if place == each else split_heads(x, layer)
        for place, x in enumerate((queries, keys, values))
    ]
    return attend(layer, *split)
