"""The joint projection is interleaved across queries, keys and values.

All queries come first, then all keys, then all values: split the features into three blocks, with chunk(3, dim=-1). If
you split them as (..., 3), every third feature goes to the queries.
"""


def attend_in_heads(layer, *projected):
    joint = torch.cat(projected, dim=-1).unflatten(-1, (-1, 3))
    return attend(layer, *(split_heads(x, layer) for x in joint.unbind(-1)))
