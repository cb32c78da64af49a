"""The first axis of x is taken for the tokens.

x has shape (batch, tokens, d_in), always in this order, whichever of the two is longer. With the axes exchanged, tokens
attend to those at the same place of other sequences.
"""

EACH = {"with a mask of any length": True, "with the mask of the constructor": False}


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, x):
        return super().forward(x.transpose(0, 1)).transpose(0, 1)


class CausalAttention(CausalAttention):
    def forward(self, x):
        return super().forward(x.transpose(0, 1)).transpose(0, 1)


def own_mask(layer, tokens):
    mask = later_tokens(tokens) if each else layer.mask
    return mask[:tokens, :tokens]
