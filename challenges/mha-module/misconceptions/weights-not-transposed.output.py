"""The weight of out_proj is applied the wrong way round.

A layer keeps its weight as (out, in) and computes x @ W.T. It is square here, so that x @ W fits as well, and is wrong.
"""


def mix_heads(layer, context):
    return merge_heads(context) @ layer.out_proj.weight + layer.out_proj.bias
