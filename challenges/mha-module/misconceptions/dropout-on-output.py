"""Dropout falls on the output.

The attention weights are all kept, and features of the result are dropped instead. Here dropout is for the
weights: whole tokens are left out, not single features.
"""


def drop(weights, layer):
    return weights


def mix_heads(layer, context):
    return layer.dropout(layer.out_proj(merge_heads(context)))
