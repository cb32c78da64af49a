"""The joint projection is split by heads before it is split into queries, keys and values.

Some models keep head 0's queries, keys and values first, then head 1's. Here all queries come first, then all keys,
then all values: split the features into three, then each third into heads.
"""


def attend_in_heads(layer, queries, keys, values):
    joint = torch.cat((queries, keys, values), dim=-1).unflatten(-1, (layer.num_heads, 3, layer.head_dim))
    return attend(layer, *joint.permute(3, 0, 2, 1, 4))
