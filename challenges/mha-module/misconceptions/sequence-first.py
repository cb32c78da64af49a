"""The first axis of x is treated as the tokens.

x always has shape (batch, tokens, d_in), whichever of the two is longer. With the axes swapped, tokens attend to those
at the same position in other sequences.
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
