"""A token of zeros is treated as padding and hidden with {each}.

Only the order of the tokens decides what is hidden. A token that happens to be all zeros is a token like any other: its
scores are zero, and it gets its share of the attention.
"""

EACH = {
    "minus infinity": ("-inf", False),
    "a large number": ("-1e9", False),
    "minus infinity, unless alone": ("-inf", True),
}


def project_qkv(layer, x):
    layer.__dict__["padding"] = (x == 0).all(dim=-1)
    return layer.W_query(x), layer.W_key(x), layer.W_value(x)


def weigh(scores, layer):
    low, spares = each
    later = own_mask(layer, scores.shape[-1])
    padding = layer.padding.view(len(scores), *[1] * (scores.dim() - 2), -1) & ~later
    if spares:
        padding = padding & ~(padding | later).all(dim=-1, keepdim=True)
    return softmax(hide(scale(scores, layer), later).masked_fill(padding, float(low)))
