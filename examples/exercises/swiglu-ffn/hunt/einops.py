"""A feed-forward layer in three contractions."""

import torch
from einops import einsum

UP = "... d_model, d_ff d_model -> ... d_ff"
DOWN = "... d_ff, d_model d_ff -> ... d_model"


class FeedForward:
    """Holds the three weights of a layer, and is called with the features of its tokens."""

    def __init__(self, first, second, third):
        self.first = first
        self.second = second
        self.third = third

    def __call__(self, tokens):
        left = einsum(tokens, self.first, UP)
        right = einsum(tokens, self.third, UP)
        share = torch.sigmoid(left)
        inner = left * share * right
        return einsum(inner, self.second, DOWN)


def swiglu_ffn(x, w1, w2, w3):
    layer = FeedForward(w1, w2, w3)
    return layer(x)
