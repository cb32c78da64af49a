"""The weights of the {each} are cut off from the graph.

Your code only reads the layer's numbers: .data and detach() of its weight, or a copy of it, have no history, so the
layer never learns, although x still gets its gradient. Call the layer itself.
"""

EACH = {
    "queries": ("query",),
    "keys": ("key",),
    "values": ("value",),
    "queries, keys and values": ("query", "key", "value"),
}


def project_qkv(layer, x):
    layers = {"query": layer.W_query, "key": layer.W_key, "value": layer.W_value}
    return tuple(
        nn.functional.linear(x, f.weight.detach(), None if f.bias is None else f.bias.detach())
        if name in each
        else f(x)
        for name, f in layers.items()
    )
