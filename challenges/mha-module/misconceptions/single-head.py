"""The heads are never split.

One head covers all d_out features, so num_heads has no effect. Each head needs its own scores and softmax, over its own
head_dim features.
"""


def attend_in_heads(layer, queries, keys, values):
    return attend(layer, queries, keys, values)


def merge_heads(x):
    return x
