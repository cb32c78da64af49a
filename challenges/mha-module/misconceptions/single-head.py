"""The heads are never split.

One softmax serves all d_out features: num_heads has no effect. Each head needs scores and a softmax of its own,
over its own head_dim features.
"""


def attend_in_heads(layer, queries, keys, values):
    return attend(layer, queries, keys, values)


def merge_heads(x):
    return x
