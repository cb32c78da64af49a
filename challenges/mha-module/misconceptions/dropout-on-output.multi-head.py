"""Dropout falls on the output of MultiHeadAttention.

The single head does it right. With several heads the attention weights are all kept, and features of the result are
dropped instead. Here dropout is for the weights: whole tokens are left out, not single features.
"""


def attend_in_heads(layer, queries, keys, values):
    queries, keys, values = (split_heads(x, layer) for x in (queries, keys, values))
    return weigh(compare_tokens(queries, keys), layer) @ values


def mix_heads(layer, context):
    return layer.dropout(layer.out_proj(merge_heads(context)))
