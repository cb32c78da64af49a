"""The mask is a trainable parameter.

As an nn.Parameter the mask is counted, saved and changed by the optimizer like a weight. It is a constant: register it
as a buffer, and it still moves with the module.
"""


def keep_mask(layer, context_length):
    layer.mask = nn.Parameter(later_tokens(context_length).float())


def own_mask(layer, tokens):
    return layer.mask[:tokens, :tokens] > 0.5
