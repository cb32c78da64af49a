"""The weight of out_proj is detached.

The result is right, and out_proj never learns. Call the layer, or use its weight as it is.
"""


def mix_heads(layer, context):
    return nn.functional.linear(merge_heads(context), layer.out_proj.weight.detach(), layer.out_proj.bias)
