"""Dropout is applied to the weights, and again to the output.

Dropping attention weights is right. The second dropout, on the features of the result, belongs in the Transformer block
around this module, where many models call it resid_dropout. This module only has the first one.
"""


def mix_heads(layer, context):
    return layer.dropout(layer.out_proj(merge_heads(context)))
