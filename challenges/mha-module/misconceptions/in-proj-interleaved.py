"""The joint projection is dealt out to queries, keys and values in turn.

All queries come first, then all keys, then all values: cut the features into three blocks, with chunk(3, dim=-1). Cut as
(..., 3) every third feature is a query's.
"""


def attend_in_heads(layer, *projected):
    joint = torch.cat(projected, dim=-1).unflatten(-1, (-1, 3))
    return attend(layer, *(split_heads(x, layer) for x in joint.unbind(-1)))
