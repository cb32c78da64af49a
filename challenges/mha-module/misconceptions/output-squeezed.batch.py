"""A batch of one loses its axis.

The result always has three axes, (batch, tokens, d_out), even for a single sequence. Do not squeeze.
"""


def mix_heads(layer, context):
    return layer.out_proj(merge_heads(context)).squeeze(0)
