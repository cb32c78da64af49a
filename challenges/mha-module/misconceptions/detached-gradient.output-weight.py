"""The weights of out_proj are cut off from the graph.

Your code only reads the layer's numbers: .data and detach() of its weight, or a copy of it, have no history, so the
layer never learns. Call out_proj itself.
"""


def mix_heads(layer, context):
    return nn.functional.linear(merge_heads(context), layer.out_proj.weight.detach(), layer.out_proj.bias.detach())
