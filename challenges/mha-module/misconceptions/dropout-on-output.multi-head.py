"""Dropout is applied to the output of MultiHeadAttention.

The single head is right. With several heads all attention weights are kept, and features of the result are dropped
instead. In this exercise dropout applies to the weights: it leaves out whole tokens, not single features.
"""


def attend_in_heads(layer, queries, keys, values):
    queries, keys, values = (split_heads(x, layer) for x in (queries, keys, values))
    return weigh(compare_tokens(queries, keys), layer) @ values


def mix_heads(layer, context):
    return layer.dropout(layer.out_proj(merge_heads(context)))
