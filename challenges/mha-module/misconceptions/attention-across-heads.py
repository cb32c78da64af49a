"""Heads attend to heads.

Without the swap the axes are (batch, tokens, heads, head_dim), and the scores compare the heads of one token with each
other: no token ever sees another. Move the heads in front of the tokens.
"""


def split_heads(x, layer):
    return x.unflatten(-1, (layer.num_heads, layer.head_dim))


def own_mask(layer, tokens):
    return torch.ones(tokens, tokens, dtype=torch.bool).triu(diagonal=1)


def merge_heads(x):
    return x.flatten(-2)
