"""Dropout falls on the weights, and again on the output.

Dropping attention weights is right. The second dropout, on the features of the result, belongs to the Transformer block
around this module, where many models call it resid_dropout. This module has the first one only.
"""


def mix_heads(layer, context):
    return layer.dropout(layer.out_proj(merge_heads(context)))
